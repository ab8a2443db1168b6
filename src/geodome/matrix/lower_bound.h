#pragma once
/// A lower bound on the distance of two vertices, from the shape alone.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "geodome/base/types.h"
#include "geodome/matrix/storage_check.h"
#include "geodome/shape/shape.h"
#include "geodome/shape/surface_point.h"

namespace geodome::internal {

/// Positions in an array that `owner` keeps alive, row by row; `check` verifies them before they are read.
struct PositionArray {
  std::variant<std::span<const double>, std::span<const float>> values;
  Index columns = 0;
  const StorageCheck* check = nullptr;
  std::shared_ptr<const void> owner;
};

/// Row `row` of positions of three columns.
Eigen::RowVector3d point_of(const PositionArray& array, Index row);

/// The positions of a shape that `owner` keeps alive.
template <typename Positions>
PositionArray shared_positions(const Positions& positions, std::shared_ptr<const void> owner) {
  return {std::span(positions.data(), static_cast<std::size_t>(positions.size())),
          static_cast<Index>(positions.cols()), nullptr, std::move(owner)};
}

/// Edges in arrays that `owner` keeps alive.
struct EdgeArrays {
  Index vertices = 0;
  std::span<const Index> ends;      ///< #E by 2
  std::span<const double> lengths;  ///< #E
  std::shared_ptr<const void> owner;
};

/// The chord where vertices have positions; the lengths of edges on a graph; zero where nothing is known.
/// Zero from a vertex to itself. Copies share their arrays.
class LowerBound {
 public:
  LowerBound() = default;
  /// `positions`: #V by any dimension, in which no path is shorter than its chord; empty: no bound. A copy is
  /// kept.
  template <typename Positions>
  LowerBound(const Eigen::MatrixBase<Positions>& positions)
      : LowerBound(std::make_shared<const RowMatrix<double>>(positions)) {}
  explicit LowerBound(PositionArray positions) : positions_(std::move(positions)) {}
  /// A path of one edge is as long as that edge; any other is at least as long as the shortest edges at both
  /// of its ends.
  explicit LowerBound(EdgeArrays edges);
  explicit LowerBound(const Graph& graph);

  /// Whether there is a bound for that many vertices, or none at all.
  bool fits(Index vertices) const;
  bool has_positions() const { return positions_.columns > 0; }
  /// Cost: O(1) with positions. On a graph O(#E) for the first few pairs, then O(log degree) by an index of
  /// 16 bytes per edge end.
  double operator()(Index i, Index j) const;
  /// out[j - first] = the bound of i and j, for j in [first, last). Cost: as above, less the checks of single
  /// pairs.
  void row(Index i, Index first, Index last, double* out) const;
  /// Between combinations of positions; zero on a graph, which has no points between its vertices.
  double operator()(const SurfacePoint& a, const SurfacePoint& b) const;

 private:
  class GraphBound;
  explicit LowerBound(std::shared_ptr<const RowMatrix<double>> positions);
  Index rows() const;

  PositionArray positions_;
  std::shared_ptr<GraphBound> graph_;
};

/// Of a shape whose distances were measured along it.
LowerBound lower_bound(const Shape& shape);
/// The same without a copy of the positions.
LowerBound lower_bound(const std::shared_ptr<const Shape>& shape);

}  // namespace geodome::internal
