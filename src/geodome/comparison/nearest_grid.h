#pragma once
/// Points near to any place, by one look-up.

#include <array>
#include <cstdint>
#include <vector>

#include "geodome/comparison/point_tree.h"

namespace geodome::internal {

struct NearPoint {
  Index point = 0;
  double squared = 0;  ///< its squared distance
};

/// A grid over the bounding box of a point set that stores a point nearest to the centre of every cell, found
/// by passing points on from cell to cell: in rare cells another is slightly nearer. Inside the box, a
/// look-up returns the nearest point or one that is farther by at most about the diagonal of a cell. Const
/// and thread-safe after construction.
class NearestGrid {
 public:
  /// Refers to the tree's points, which must outlive it. At most `cells` cells, nearly cubic; 2¹⁶ fit into
  /// the cache of a core, as two forms are compared. Cost: O(#points + cells). Throws InputError for more
  /// than 4 coordinates.
  explicit NearestGrid(const PointTree& tree, Index cells = 1 << 16);

  /// Places outside the box get the point of the cell at its boundary.
  template <std::size_t dimension>
  NearPoint near(const double* place) const {
    const Index point = nearest_[cell_of<dimension>(place)];
    return {point, squared_distance<dimension>(place, point)};
  }

  /// The nearest of the points of the 2^dimension cells around the place: seldom farther than the nearest of
  /// all by more than a fraction of a cell.
  template <std::size_t dimension>
  NearPoint near_around(const double* place) const {
    std::array<std::int64_t, 1 << dimension> cells{};
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      const double steps = (place[axis] - low_[axis]) * per_length_[axis] - 0.5;
      const double within = steps > 0 ? (steps < last_[axis] ? steps : last_[axis]) : 0;
      const auto low = static_cast<std::int64_t>(within);
      const std::int64_t high = low + (low + 1 < count_[axis] ? 1 : 0);
      for (std::size_t corner = 0; corner < cells.size(); ++corner)
        cells[corner] = cells[corner] * count_[axis] + ((corner >> axis) & 1 ? high : low);
    }
    Index nearest = PointTree::none;
    double least = 0;
    for (const std::int64_t cell : cells) {
      const Index point = nearest_[static_cast<std::size_t>(cell)];
      const double squared = squared_distance<dimension>(place, point);
      if (nearest == PointTree::none || squared < least) {
        nearest = point;
        least = squared;
      }
    }
    return {nearest, least};
  }

  /// Of one cell.
  double diagonal() const;

 private:
  template <std::size_t axes>
  void fill(const RowMatrix<double>& points);

  template <std::size_t dimension>
  std::size_t cell_of(const double* place) const {
    std::int64_t cell = 0;
    for (std::size_t axis = 0; axis < dimension; ++axis) {
      const double steps = (place[axis] - low_[axis]) * per_length_[axis];
      const double within = steps > 0 ? (steps < last_[axis] ? steps : last_[axis]) : 0;
      cell = cell * count_[axis] + static_cast<std::int64_t>(within);
    }
    return static_cast<std::size_t>(cell);
  }

  template <std::size_t dimension>
  double squared_distance(const double* place, Index point) const {
    const double* other = points_ + static_cast<std::ptrdiff_t>(point) * dimension;
    double sum = 0;
    for (std::size_t axis = 0; axis < dimension; ++axis)
      sum += (place[axis] - other[axis]) * (place[axis] - other[axis]);
    return sum;
  }

  static constexpr std::size_t most_axes = 4;

  std::array<double, most_axes> low_{}, per_length_{}, last_{};
  std::array<std::int64_t, most_axes> count_{};
  std::vector<Index> nearest_;
  const double* points_;
};

}  // namespace geodome::internal
