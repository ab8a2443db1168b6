#pragma once
/// Rigid alignment of two point sets that are the same up to a motion, a reflection and noise, such as the
/// canonical forms of two poses: iterative closest points [Besl and McKay 1992], trimmed [Chetverikov et al.
/// 2005], from every way to put the axes of one on those of the other and half-way between.
///
///   const FormSamples a(Za), b(Zb);
///   const Alignment alignment = align(a, b);
///   // alignment.distance; alignment.apply(Za) lies on Zb

#include <vector>

#include "geodome/comparison/closest_pairs.h"

namespace geodome::internal {

/// How closely the starts that are left are looked at, and how many that lead to different places go on.
struct AlignmentRound {
  Index samples = 0;  ///< of each form, against all points of the other
  int iterations = 0;
  int survivors = 0;
  double margin = infinity;  ///< none whose distance is more than this multiple of the least goes on
  double kept = 1;           ///< share of the pairs that is fitted: the closest
  /// Of these, those within this multiple of the median distance, so that a part that does not belong stays
  /// out of the fit. It never decides between starts.
  double reach = infinity;
  PairSearch search = PairSearch::cell;
};

struct AlignmentOptions {
  /// A glance at every start, without the farthest twentieth of the pairs, which are far for a start that is
  /// nearly right; then longer looks at fewer with all pairs, which is what the distance is measured by. With
  /// look-ups an iteration with all samples takes 0.2 ms. On 378 pairs of poses (docs/results/matching.md),
  /// twice the time in more starts and samples changed the mean distance by less than 0.05 %.
  std::vector<AlignmentRound> rounds = {
      {.samples = 100, .iterations = 2, .survivors = 64, .kept = 0.95},
      {.samples = 150, .iterations = 10, .survivors = 16, .kept = 0.95},
      {.samples = 400, .iterations = 25, .survivors = 6, .margin = 1.2},
      {.samples = 500, .iterations = 15, .survivors = 3, .margin = 1.05, .reach = 10, .search = around},
      {.samples = 2000, .iterations = 30, .survivors = 1, .reach = 10, .search = around}};
  double tolerance = 3e-5;  ///< an iteration that gains less, of the radius, is the last
  bool reflections = true;

  static constexpr PairSearch around = PairSearch::around;
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

/// The motion that brings `from` onto `to`. Cost: some 5·10⁵ look-ups in the grids and a nearest-point search
/// for every sample: about 10 ms for 2,000 samples of 3 coordinates. Throws InputError when the forms differ
/// in dimension.
Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options = {});

}  // namespace geodome::internal
