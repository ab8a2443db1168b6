#pragma once
/// Nearest points of a set, by a k-d tree.

#include <memory>

#include "geodome/base/types.h"

namespace geodome::internal {

struct NearestPoint {
  Index point = 0;
  double distance = 0;
};

/// Const and thread-safe after construction.
class PointTree {
 public:
  /// `points` is #points by d, copied. Throws InputError when there are none or one is not finite.
  explicit PointTree(RowMatrix<double> points);
  ~PointTree();
  PointTree(PointTree&&) noexcept;

  const RowMatrix<double>& points() const;
  /// The nearest point to d coordinates. A point that is known to be near, if any, makes the search shorter.
  NearestPoint nearest(const double* coordinates, Index near = none) const;

  static constexpr Index none = -1;

 private:
  struct Tree;
  template <int dimension>
  struct TreeOf;
  std::unique_ptr<Tree> tree_;
};

/// The rows of `points` chosen one after the other as the farthest from all before, the farthest from the
/// mean first, until there are `count` or no other place is left. Cost: O(d (count² + #points log count)) for
/// points on a surface.
std::vector<Index> farthest_points(const Eigen::Ref<const RowMatrix<double>>& points, Index count);

}  // namespace geodome::internal
