#pragma once
/// How different shapes are, from their canonical forms.

#include <optional>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/comparison/alignment.h"

namespace geodome::internal {

struct ShapeDistanceOptions {
  Index samples = 2000;  ///< farthest points of each form
  /// Forms are brought to the same size first; else a large and a small creature of one kind differ.
  bool ignore_size = false;
  /// With how many others, those most similar by simple measures, each form is aligned; as many again where
  /// one of them may be its nearest. The distances of other pairs are estimated. 0: all pairs are aligned;
  /// not given: all up to `all_pairs_up_to` forms, else `many_candidates`.
  std::optional<Index> candidates;
  AlignmentOptions alignment;

  static constexpr Index all_pairs_up_to = 200;  ///< 19,900 pairs: some three minutes on one thread
  /// On 28 poses the nearest is among the seven most similar.
  static constexpr Index many_candidates = 40;
};

struct ShapeDistances {
  /// n by n, symmetric, zero on the diagonal: the distance between aligned forms, divided by the mean radius
  /// of all forms. 0.05 means that corresponding points are off by a twentieth of a form's radius.
  RowMatrix<double> distances;
  double scale = 1;  ///< what the distances were divided by
  /// n by n, true for pairs that were not aligned: their distances are estimated from simple measures, and
  /// not below that of the nearest aligned form of either.
  RowMatrix<bool> estimated;
  std::int64_t aligned_pairs = 0;
};

/// Each form is #V by m, the same m for all. Cost: one alignment per pair, pairs in parallel. Throws
/// InputError when dimensions differ or a form has no extent.
ShapeDistances shape_distances(const std::vector<RowMatrix<double>>& forms,
                               const ShapeDistanceOptions& options = {}, const Execution& execution = {});

}  // namespace geodome::internal
