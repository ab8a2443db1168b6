#include "geodome/matrix/lower_bound.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <utility>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {

/// The shortest edges at both ends, or the edge between them.
class LowerBound::GraphBound {
 public:
  explicit GraphBound(EdgeArrays edges) : edges_(std::move(edges)) {}

  Index vertices() const { return edges_.vertices; }

  double operator()(Index i, Index j) {
    // Sorting the edges does not pay for a few pairs.
    constexpr int scanned = 4;
    if (asked_.load(std::memory_order_relaxed) < scanned &&
        asked_.fetch_add(1, std::memory_order_relaxed) < scanned)
      return by_scan(i, j);
    std::call_once(indexed_, [this] { make_index(); });
    return by_index(i, j);
  }

 private:
  struct End {
    Index vertex = 0;
    double length = 0;
  };

  std::pair<Index, Index> ends(std::size_t edge) const {
    return {edges_.ends[2 * edge], edges_.ends[2 * edge + 1]};
  }

  double by_scan(Index i, Index j) const {
    double at_i = infinity, at_j = infinity, between = infinity;
    for (std::size_t e = 0; e < edges_.lengths.size(); ++e) {
      const auto [a, b] = ends(e);
      if (a == b) continue;
      if (a == i || b == i) at_i = std::min(at_i, edges_.lengths[e]);
      if (a == j || b == j) at_j = std::min(at_j, edges_.lengths[e]);
      if ((a == i && b == j) || (a == j && b == i)) between = std::min(between, edges_.lengths[e]);
    }
    return std::min(between, at_i + at_j);
  }

  void make_index() {
    const auto vertices = static_cast<std::size_t>(edges_.vertices);
    first_end_.assign(vertices + 1, 0);
    end_.resize(2 * edges_.lengths.size());
    shortest_.assign(vertices, infinity);
    for (std::size_t e = 0; e < edges_.lengths.size(); ++e) {
      const auto [a, b] = ends(e);
      for (const Index v : {a, b}) {
        if (v < 0 || v >= edges_.vertices)
          throw InputError(text("vertex ", v, " of an edge is out of range [0, ", edges_.vertices, ")"));
        ++first_end_[static_cast<std::size_t>(v) + 1];
        double& shortest = shortest_[static_cast<std::size_t>(v)];
        if (a != b) shortest = std::min(shortest, edges_.lengths[e]);
      }
    }
    for (std::size_t v = 0; v < vertices; ++v) first_end_[v + 1] += first_end_[v];
    std::vector<std::int64_t> next(first_end_.begin(), first_end_.end() - 1);
    for (std::size_t e = 0; e < edges_.lengths.size(); ++e) {
      const auto [a, b] = ends(e);
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)})
        end_[static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++)] = {to, edges_.lengths[e]};
    }
    for (std::size_t v = 0; v < vertices; ++v)
      std::sort(end_.begin() + first_end_[v], end_.begin() + first_end_[v + 1],
                [](const End& a, const End& b) {
                  return std::pair(a.vertex, a.length) < std::pair(b.vertex, b.length);
                });
  }

  double by_index(Index i, Index j) const {
    const double detour = shortest_[static_cast<std::size_t>(i)] + shortest_[static_cast<std::size_t>(j)];
    const auto begin = end_.begin() + first_end_[static_cast<std::size_t>(i)];
    const auto end = end_.begin() + first_end_[static_cast<std::size_t>(i) + 1];
    const auto edge =
        std::lower_bound(begin, end, j, [](const End& one, Index vertex) { return one.vertex < vertex; });
    return edge != end && edge->vertex == j ? std::min(edge->length, detour) : detour;
  }

  EdgeArrays edges_;
  std::atomic<int> asked_{0};
  std::once_flag indexed_;
  std::vector<std::int64_t> first_end_;  ///< #V + 1: positions in end_
  std::vector<End> end_;                 ///< of each vertex, by the other vertex
  std::vector<double> shortest_;         ///< #V: the shortest edge of each vertex
};

namespace {

/// The edges of a graph as arrays.
EdgeArrays edge_arrays(const Graph& graph) {
  struct Storage {
    std::vector<Index> ends;
    std::vector<double> lengths;
  };
  auto storage = std::make_shared<Storage>();
  for (const Edge& edge : graph.edges) {
    storage->ends.insert(storage->ends.end(), {edge.a, edge.b});
    storage->lengths.push_back(edge.length);
  }
  EdgeArrays arrays{graph.vertices, storage->ends, storage->lengths, nullptr};
  arrays.owner = std::move(storage);
  return arrays;
}

/// Row `row` of an array of positions, in double precision.
template <typename T>
auto row_of(const PositionArray& array, std::span<const T> values, Index row) {
  const auto columns = static_cast<std::size_t>(array.columns);
  const auto own = values.subspan(columns * static_cast<std::size_t>(row), columns);
  verify(array.check, own);
  return Eigen::Map<const Eigen::Matrix<T, 1, Eigen::Dynamic>>(own.data(), array.columns)
      .template cast<double>();
}

}  // namespace

Eigen::RowVector3d point_of(const PositionArray& array, Index row) {
  if (const auto* floats = std::get_if<std::span<const float>>(&array.values))
    return row_of(array, *floats, row);
  return row_of(array, std::get<std::span<const double>>(array.values), row);
}

LowerBound::LowerBound(std::shared_ptr<const RowMatrix<double>> positions) {
  const RowMatrix<double>& values = *positions;
  if (values.size() > 0) positions_ = shared_positions(values, positions);
}

LowerBound::LowerBound(EdgeArrays edges) : graph_(std::make_shared<GraphBound>(std::move(edges))) {}

LowerBound::LowerBound(const Graph& graph) : LowerBound(edge_arrays(graph)) {}

Index LowerBound::rows() const {
  const std::size_t count = std::visit([](const auto& values) { return values.size(); }, positions_.values);
  return static_cast<Index>(count / static_cast<std::size_t>(positions_.columns));
}

bool LowerBound::fits(Index vertices) const {
  if (has_positions()) return rows() == vertices;
  return graph_ == nullptr || graph_->vertices() == vertices;
}

double LowerBound::operator()(Index i, Index j) const {
  if (i == j) return 0;
  if (graph_ != nullptr) return (*graph_)(i, j);
  if (!has_positions()) return 0;
  return std::visit(
      [&](const auto& values) {
        return (row_of(positions_, values, i) - row_of(positions_, values, j)).norm();
      },
      positions_.values);
}

namespace {

/// Chords from row i to rows [first, last), which are verified as one range.
template <typename T>
void chords(const PositionArray& array, std::span<const T> values, Index i, Index first, Index last,
            double* out) {
  const auto own = row_of(array, values, i);
  const auto columns = static_cast<std::size_t>(array.columns);
  const auto others = values.subspan(columns * static_cast<std::size_t>(first),
                                     columns * static_cast<std::size_t>(last - first));
  verify(array.check, others);
  if (columns != 3) {
    for (Index j = first; j < last; ++j) out[j - first] = (own - row_of(array, values, j)).norm();
    return;
  }
  const double at[] = {own[0], own[1], own[2]};
  for (std::size_t k = 0; k < others.size(); k += 3) {
    const double x = at[0] - static_cast<double>(others[k]), y = at[1] - static_cast<double>(others[k + 1]),
                 z = at[2] - static_cast<double>(others[k + 2]);
    out[k / 3] = std::sqrt(x * x + y * y + z * z);
  }
}

}  // namespace

void LowerBound::row(Index i, Index first, Index last, double* out) const {
  if (graph_ == nullptr && has_positions())
    std::visit([&](const auto& values) { chords(positions_, values, i, first, last, out); },
               positions_.values);
  else
    for (Index j = first; j < last; ++j) out[j - first] = (*this)(i, j);
}

double LowerBound::operator()(const SurfacePoint& a, const SurfacePoint& b) const {
  if (!has_positions()) return 0;
  Eigen::RowVectorXd apart = Eigen::RowVectorXd::Zero(positions_.columns);
  std::visit(
      [&](const auto& values) {
        for (int k = 0; k < 3; ++k)
          apart += a.weight[k] * row_of(positions_, values, a.vertex[k]) -
                   b.weight[k] * row_of(positions_, values, b.vertex[k]);
      },
      positions_.values);
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

/// Refers to the positions of a shape that `owner` keeps alive.
struct SharedBoundOf {
  const std::shared_ptr<const Shape>& owner;

  template <typename Positions>
  LowerBound shared(const Positions& positions) const {
    if (positions.size() == 0) return {};
    return LowerBound(shared_positions(positions, owner));
  }
  LowerBound operator()(const TriangleMesh& mesh) const { return shared(mesh.points); }
  LowerBound operator()(const PolygonMesh& mesh) const { return shared(mesh.points); }
  LowerBound operator()(const PointCloud& cloud) const { return shared(cloud.points); }
  LowerBound operator()(const Graph& graph) const { return LowerBound(graph); }
  LowerBound operator()(const Samples& samples) const { return shared(samples.values); }
};

}  // namespace

LowerBound lower_bound(const Shape& shape) {
  return std::visit(BoundOf{}, shape);
}

LowerBound lower_bound(const std::shared_ptr<const Shape>& shape) {
  return std::visit(SharedBoundOf{shape}, *shape);
}

}  // namespace geodome::internal
