#pragma once
/// Rigid alignment of two point sets that are the same up to a motion, a reflection and noise, such as the
/// canonical forms of two poses: iterative closest points [Besl and McKay 1992], trimmed [Chetverikov et al.
/// 2005], from every way to put the axes of one on those of the other and half-way between.
///
///   const FormSamples a(Za), b(Zb);
///   const Alignment alignment = align(a, b);
///   // alignment.distance; alignment.apply(Za) lies on Zb

#include <vector>

#include "geodome/comparison/point_tree.h"

namespace geodome::internal {

/// Farthest-point samples of a form, with a search tree over all its points: samples of one form are compared
/// with the whole of the other, so that the spacing of samples does not count as a difference.
class FormSamples {
 public:
  /// `form` is #V by m; rows that are not finite are left out. Throws InputError when none is left, or m is
  /// not in [1, 4]: with more axes there are too many ways to put them on each other.
  explicit FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count = 2000);

  const RowMatrix<double>& samples() const { return sample_tree_.points(); }
  const PointTree& tree() const { return tree_; }
  const PointTree& sample_tree() const { return sample_tree_; }
  const Eigen::RowVectorXd& centre() const { return centre_; }
  /// The root mean square distance of the samples from their mean.
  double radius() const { return radius_; }

 private:
  PointTree tree_, sample_tree_;
  Eigen::RowVectorXd centre_;
  double radius_;
};

/// How closely the starts that are left are looked at, and how many that lead to different places go on.
struct AlignmentRound {
  Index samples = 0;  ///< of each form, against all samples of the other
  int iterations = 0;
  int survivors = 0;
  double margin = infinity;  ///< and none whose distance is more than this multiple of the least
};

struct AlignmentOptions {
  /// Of the pairs of closest points, the share that is fitted while the right start is looked for: the
  /// farthest tenth is where forms differ.
  double kept = 0.9;
  /// In the end all pairs are fitted but those beyond this multiple of the median: forms that differ a
  /// little everywhere are brought together as a whole, and a part that does not belong stays out of it.
  double reach = 10;
  /// A glance at every start, then longer looks at fewer.
  std::vector<AlignmentRound> rounds = {{100, 1, 32}, {150, 8, 8}, {400, 25, 2, 1.1}};
  int iterations = 60;      ///< at most, with all samples against all points
  double tolerance = 3e-5;  ///< an iteration that gains less, of the radius, is the last
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

/// The motion that brings `from` onto `to`. Cost: some 3·10⁵ nearest-point searches, two thirds of them among
/// samples alone: a tenth of a second or two for 2,000 samples of 3 coordinates. Throws InputError when the
/// forms differ in dimension.
Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options = {});

}  // namespace geodome::internal
