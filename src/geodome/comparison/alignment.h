#pragma once
/// Rigid alignment of two point sets that are the same up to a motion, a reflection and noise, such as the
/// canonical forms of two poses: iterative closest points [Besl and McKay 1992], trimmed [Chetverikov et al.
/// 2005], from every way to put the axes of one on those of the other.
///
///   const FormSamples a(Za), b(Zb);
///   const Alignment alignment = align(a, b);
///   // alignment.distance; alignment.apply(Za) lies on Zb

#include "geodome/comparison/point_tree.h"

namespace geodome {

/// Farthest-point samples of a form, with a search tree over all its points: samples of one form are compared
/// with the whole of the other, so that the spacing of samples does not count as a difference.
class FormSamples {
 public:
  /// `form` is #V by m; rows that are not finite are left out. Throws InputError when none is left, or m is
  /// not in [1, 4]: with more axes there are too many ways to put them on each other.
  explicit FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count = 2000);

  const RowMatrix<double>& samples() const { return samples_; }
  const PointTree& tree() const { return tree_; }
  const Eigen::RowVectorXd& centre() const { return centre_; }
  /// The root mean square distance of the samples from their mean.
  double radius() const { return radius_; }

 private:
  PointTree tree_;
  RowMatrix<double> samples_;
  Eigen::RowVectorXd centre_;
  double radius_;
};

struct AlignmentOptions {
  /// Of the pairs of closest points, the share that is fitted: the farthest tenth is where forms differ.
  double kept = 0.9;
  Index coarse_samples = 200;  ///< with which every start is tried
  int coarse_iterations = 8;
  int semifinalists = 8;  ///< starts that are followed further
  Index medium_samples = 500;
  int medium_iterations = 40;
  int finalists = 2;    ///< starts that are followed to the end
  int iterations = 60;  ///< at most, with all samples
  bool reflections = true;
};

struct Alignment {
  Eigen::MatrixXd turn;      ///< m by m, orthogonal; of determinant -1 for a reflection
  Eigen::RowVectorXd shift;  ///< m
  /// The root mean square distance from a sample to the nearest point of the other form, over the samples of
  /// both; in the forms' units.
  double distance = 0;
  int iterations = 0;

  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& points) const {
    return (points * turn).rowwise() + shift;
  }
};

/// The motion that brings `from` onto `to`. Cost: some 3·10⁵ nearest-point searches, a few tenths of a second
/// for 2,000 samples of 3 coordinates. Throws InputError when the forms differ in dimension.
Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options = {});

}  // namespace geodome
