#pragma once
/// A canonical form made ready to be aligned with others.

#include "geodome/comparison/nearest_grid.h"
#include "geodome/comparison/point_tree.h"

namespace geodome::internal {

/// Farthest-point samples of a form, with a search tree and a grid over all its points: samples of one form
/// are compared with the whole of the other, so that the spacing of samples does not count as a difference.
class FormSamples {
 public:
  /// `form` is #V by m; rows that are not finite are left out. Throws InputError when none is left, or m is
  /// not in [1, 4]: with more axes there are too many ways to put them on each other.
  explicit FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count = 2000);

  const RowMatrix<double>& samples() const { return samples_; }
  const PointTree& tree() const { return tree_; }
  const NearestGrid& grid() const { return grid_; }
  const Eigen::RowVectorXd& centre() const { return centre_; }
  /// The root mean square distance of the samples from their mean.
  double radius() const { return radius_; }

 private:
  PointTree tree_;
  NearestGrid grid_;
  RowMatrix<double> samples_;
  Eigen::RowVectorXd centre_;
  double radius_;
};

}  // namespace geodome::internal
