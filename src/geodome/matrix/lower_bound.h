#pragma once
/// A lower bound on the distance of two vertices, from the shape alone.

#include <cstdint>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/matrix/surface_point.h"
#include "geodome/shape/shape.h"

namespace geodome {

/// The chord where vertices have positions; the lengths of edges on a graph; zero where nothing is known.
/// Zero from a vertex to itself.
class LowerBound {
 public:
  LowerBound() = default;
  /// `positions`: #V by any dimension, in which no path is shorter than its chord; empty: no bound.
  template <typename Positions>
  LowerBound(const Eigen::MatrixBase<Positions>& positions) : positions_(positions) {}
  /// A path of one edge is as long as that edge; any other is at least as long as the shortest edges at both
  /// of its ends. Cost: 16 bytes per edge end.
  explicit LowerBound(const Graph& graph);

  /// Whether there is a bound for that many vertices, or none at all.
  bool fits(Index vertices) const;
  bool has_positions() const { return positions_.size() > 0; }
  /// Cost: O(1) with positions, O(log degree) on a graph.
  double operator()(Index i, Index j) const;
  /// Between combinations of positions; zero on a graph, which has no points between its vertices.
  double operator()(const SurfacePoint& a, const SurfacePoint& b) const;

 private:
  struct End {
    Index vertex = 0;
    double length = 0;
  };

  RowMatrix<double> positions_;
  std::vector<std::int64_t> first_end_;  ///< #V + 1 on a graph: positions in end_
  std::vector<End> end_;                 ///< of each vertex, by the other vertex
  std::vector<double> shortest_;         ///< #V: the shortest edge of each vertex
};

/// Of a shape whose distances were measured along it.
LowerBound lower_bound(const Shape& shape);

}  // namespace geodome
