#include "geodome/matrix/lower_bound.h"

#include <algorithm>
#include <utility>

namespace geodome {

LowerBound::LowerBound(const Graph& graph)
    : first_end_(static_cast<std::size_t>(graph.vertices) + 1, 0),
      end_(2 * graph.edges.size()),
      shortest_(static_cast<std::size_t>(graph.vertices), infinity) {
  for (const Edge& edge : graph.edges)
    for (const Index v : {edge.a, edge.b}) {
      ++first_end_[static_cast<std::size_t>(v) + 1];
      if (edge.a != edge.b)
        shortest_[static_cast<std::size_t>(v)] =
            std::min(shortest_[static_cast<std::size_t>(v)], edge.length);
    }
  for (std::size_t v = 0; v + 1 < first_end_.size(); ++v) first_end_[v + 1] += first_end_[v];
  std::vector<std::int64_t> next(first_end_.begin(), first_end_.end() - 1);
  for (const Edge& edge : graph.edges)
    for (const auto& [from, to] : {std::pair(edge.a, edge.b), std::pair(edge.b, edge.a)})
      end_[static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++)] = {to, edge.length};
  for (std::size_t v = 0; v + 1 < first_end_.size(); ++v)
    std::sort(end_.begin() + first_end_[v], end_.begin() + first_end_[v + 1], [](const End& a, const End& b) {
      return std::pair(a.vertex, a.length) < std::pair(b.vertex, b.length);
    });
}

bool LowerBound::fits(Index vertices) const {
  if (positions_.size() > 0) return positions_.rows() == vertices;
  return shortest_.empty() || shortest_.size() == static_cast<std::size_t>(vertices);
}

double LowerBound::operator()(Index i, Index j) const {
  if (i == j) return 0;
  if (positions_.size() > 0) return (positions_.row(i) - positions_.row(j)).norm();
  if (shortest_.empty()) return 0;
  const double detour = shortest_[static_cast<std::size_t>(i)] + shortest_[static_cast<std::size_t>(j)];
  const auto begin = end_.begin() + first_end_[static_cast<std::size_t>(i)];
  const auto end = end_.begin() + first_end_[static_cast<std::size_t>(i) + 1];
  const auto edge =
      std::lower_bound(begin, end, j, [](const End& one, Index vertex) { return one.vertex < vertex; });
  return edge != end && edge->vertex == j ? std::min(edge->length, detour) : detour;
}

double LowerBound::operator()(const SurfacePoint& a, const SurfacePoint& b) const {
  if (positions_.size() == 0) return 0;
  Eigen::RowVectorXd apart = Eigen::RowVectorXd::Zero(positions_.cols());
  for (int k = 0; k < 3; ++k)
    apart += a.weight[k] * positions_.row(a.vertex[k]) - b.weight[k] * positions_.row(b.vertex[k]);
  return apart.norm();
}

namespace {

struct BoundOf {
  LowerBound operator()(const TriangleMesh& mesh) const { return mesh.points; }
  LowerBound operator()(const PolygonMesh& mesh) const { return mesh.points; }
  LowerBound operator()(const PointCloud& cloud) const { return cloud.points; }
  LowerBound operator()(const Graph& graph) const { return LowerBound(graph); }
  LowerBound operator()(const Samples& samples) const { return samples.values; }
};

}  // namespace

LowerBound lower_bound(const Shape& shape) {
  return std::visit(BoundOf{}, shape);
}

}  // namespace geodome
