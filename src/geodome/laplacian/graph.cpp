#include <algorithm>
#include <cmath>
#include <tuple>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

/// Every pair of distinct vertices once, with its shortest edge.
std::vector<Edge> simple_edges(const Graph& graph, bool lengths_matter) {
  std::vector<Edge> edges;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const Edge& edge = graph.edges[e];
    for (const Index end : {edge.a, edge.b})
      if (end < 0 || end >= graph.vertices)
        throw InputError(
            text("edge ", e, " refers to vertex ", end, ", out of range [0, ", graph.vertices, ")"));
    if (lengths_matter && !(edge.length > 0 && std::isfinite(edge.length)))
      throw InputError(
          text("edge ", e, " has length ", edge.length,
               "; weights that depend on the length require positive finite lengths: use unit weights"));
    if (edge.a != edge.b) edges.push_back({std::min(edge.a, edge.b), std::max(edge.a, edge.b), edge.length});
  }
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return std::tuple(a.a, a.b, a.length) < std::tuple(b.a, b.b, b.length);
  });
  edges.erase(std::unique(edges.begin(), edges.end(),
                          [](const Edge& a, const Edge& b) { return a.a == b.a && a.b == b.b; }),
              edges.end());
  return edges;
}

double weight_of(double relative_length, GraphWeights kind) {
  switch (kind) {
    case GraphWeights::inverse_length:
      return 1 / relative_length;
    case GraphWeights::gaussian:
      return std::exp(-relative_length * relative_length / 2);
    case GraphWeights::unit:
      break;
  }
  return 1;
}

}  // namespace

Laplacian graph_laplacian(const Graph& graph, const LaplacianOptions& options) {
  const std::vector<Edge> edges = simple_edges(graph, options.graph_weights != GraphWeights::unit);
  double mean = 0;
  for (const Edge& edge : edges) mean += edge.length / static_cast<double>(edges.size());
  std::vector<Weight> weights;
  weights.reserve(edges.size());
  for (const Edge& edge : edges)
    weights.push_back({edge.a, edge.b, weight_of(edge.length / mean, options.graph_weights)});
  return {assemble_stiffness(graph.vertices, weights), Vector::Ones(graph.vertices)};
}

}  // namespace geodome::internal
