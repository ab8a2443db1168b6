#include "geodome/geodesic/adjacency.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

void require_valid(Index vertices, std::span<const Edge> edges) {
  for (std::size_t e = 0; e < edges.size(); ++e) {
    const Edge& edge = edges[e];
    for (const Index end : {edge.a, edge.b})
      if (end < 0 || end >= vertices)
        throw InputError(text("edge ", e, " refers to vertex ", end, ", out of range [0, ", vertices, ")"));
    if (!(edge.length >= 0) || std::isinf(edge.length))
      throw InputError(text("edge ", e, " between vertices ", edge.a, " and ", edge.b, " has length ",
                            edge.length, "; lengths must be finite and not negative"));
  }
}

Edge euclidean_edge(const Points& points, Index a, Index b) {
  for (const Index end : {a, b}) {
    if (end < 0 || end >= points.rows())
      throw InputError(text("a face refers to vertex ", end, ", out of range [0, ", points.rows(), ")"));
    if (!points.row(end).allFinite())
      throw InputError(text("vertex ", end, " has a coordinate that is not finite"));
  }
  return {a, b, (points.row(a) - points.row(b)).norm()};
}

using Link = std::pair<Index, double>;

/// Sorts one vertex's list and keeps the shortest of each neighbour.
void tidy(std::vector<Link>& list) {
  std::sort(list.begin(), list.end());
  list.erase(
      std::unique(list.begin(), list.end(), [](const Link& a, const Link& b) { return a.first == b.first; }),
      list.end());
}

}  // namespace

Adjacency make_adjacency(Index vertices, std::span<const Edge> edges) {
  require_valid(vertices, edges);
  std::vector<std::int64_t> end(static_cast<std::size_t>(vertices) + 1, 0);
  for (const Edge& edge : edges)
    if (edge.a != edge.b) {
      ++end[edge.a + 1];
      ++end[edge.b + 1];
    }
  std::partial_sum(end.begin(), end.end(), end.begin());
  std::vector<Link> halves(static_cast<std::size_t>(end.back()));
  std::vector<std::int64_t> next(end.begin(), end.end() - 1);
  for (const Edge& edge : edges)
    if (edge.a != edge.b) {
      halves[next[edge.a]++] = {edge.b, edge.length};
      halves[next[edge.b]++] = {edge.a, edge.length};
    }

  Adjacency adjacency;
  adjacency.offsets.reserve(static_cast<std::size_t>(vertices) + 1);
  std::vector<Link> list;
  for (Index v = 0; v < vertices; ++v) {
    list.assign(halves.begin() + end[v], halves.begin() + end[v + 1]);
    tidy(list);
    for (const auto& [neighbour, length] : list) {
      adjacency.neighbours.push_back(neighbour);
      adjacency.lengths.push_back(length);
    }
    adjacency.offsets.push_back(static_cast<std::int64_t>(adjacency.neighbours.size()));
  }
  return adjacency;
}

Adjacency make_adjacency(const TriangleMesh& mesh, const std::function<bool(Index, Index)>& joins,
                         const Execution& execution) {
  const auto vertices = static_cast<Index>(mesh.points.rows());
  const VertexCorners corners(mesh.triangles, vertices);
  // Calls use(v, its neighbours, increasing) for every vertex.
  const auto each_vertex = [&](const auto& use) {
    parallel_pieces(vertices, piece_size, execution, [&](std::int64_t begin, std::int64_t end) {
      std::vector<Index> near;
      for (auto v = static_cast<Index>(begin); v < end; ++v) {
        near.clear();
        for (const Index corner : corners[v])
          for (const Index k : {(corner + 1) % 3, (corner + 2) % 3})
            if (const Index other = mesh.triangles(corner / 3, k); other != v && joins(v, other))
              near.push_back(other);
        std::sort(near.begin(), near.end());
        near.erase(std::unique(near.begin(), near.end()), near.end());
        use(v, near);
      }
    });
  };
  Adjacency adjacency;
  adjacency.offsets.assign(static_cast<std::size_t>(vertices) + 1, 0);
  each_vertex([&](Index v, const std::vector<Index>& near) {
    adjacency.offsets[v + 1] = static_cast<std::int64_t>(near.size());
  });
  std::partial_sum(adjacency.offsets.begin(), adjacency.offsets.end(), adjacency.offsets.begin());
  adjacency.neighbours.resize(static_cast<std::size_t>(adjacency.offsets.back()));
  adjacency.lengths.resize(adjacency.neighbours.size());
  each_vertex([&](Index v, const std::vector<Index>& near) {
    auto at = static_cast<std::size_t>(adjacency.offsets[v]);
    for (const Index other : near) {
      adjacency.neighbours[at] = other;
      adjacency.lengths[at++] = (mesh.points.row(v) - mesh.points.row(other)).norm();
    }
  });
  return adjacency;
}

std::vector<Edge> face_edges(const TriangleMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(mesh.triangles.size()));
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      edges.push_back(euclidean_edge(mesh.points, mesh.triangles(f, k), mesh.triangles(f, (k + 1) % 3)));
  return edges;
}

std::vector<Edge> face_edges(const PolygonMesh& mesh) {
  std::vector<Edge> edges;
  edges.reserve(mesh.corners.size());
  for (std::size_t f = 0; f + 1 < mesh.offsets.size(); ++f) {
    const std::int64_t begin = mesh.offsets[f], end = mesh.offsets[f + 1];
    for (std::int64_t k = begin; k < end; ++k)
      edges.push_back(
          euclidean_edge(mesh.points, mesh.corners[k], mesh.corners[k + 1 < end ? k + 1 : begin]));
  }
  return edges;
}

Components find_components(const Adjacency& adjacency) {
  Components components;
  components.of_vertex.assign(static_cast<std::size_t>(adjacency.size()), -1);
  std::vector<Index> open;
  for (Index start = 0; start < adjacency.size(); ++start) {
    if (components.of_vertex[start] >= 0 || adjacency.offsets[start] == adjacency.offsets[start + 1])
      continue;
    components.of_vertex[start] = components.count;
    open.push_back(start);
    while (!open.empty()) {
      const Index v = open.back();
      open.pop_back();
      for (std::int64_t k = adjacency.offsets[v]; k < adjacency.offsets[v + 1]; ++k) {
        const Index next = adjacency.neighbours[k];
        if (components.of_vertex[next] >= 0) continue;
        components.of_vertex[next] = components.count;
        open.push_back(next);
      }
    }
    ++components.count;
  }
  return components;
}

}  // namespace geodome::internal
