#pragma once
/// How different shapes are, from their canonical forms.

#include <vector>

#include "geodome/base/execution.h"
#include "geodome/comparison/alignment.h"

namespace geodome::internal {

struct ShapeDistanceOptions {
  Index samples = 2000;  ///< farthest points of each form
  /// Forms are brought to the same size first; else a large and a small creature of one kind differ.
  bool ignore_size = false;
  AlignmentOptions alignment;
};

struct ShapeDistances {
  /// n by n, symmetric, zero on the diagonal: the distance between aligned forms, divided by the mean radius
  /// of all forms. 0.05 means that corresponding points are off by a twentieth of a form's radius.
  RowMatrix<double> distances;
  double scale = 1;  ///< what the distances were divided by
};

/// Each form is #V by m, the same m for all. Cost: one alignment per pair, all pairs in parallel. Throws
/// InputError when dimensions differ or a form has no extent.
ShapeDistances shape_distances(const std::vector<RowMatrix<double>>& forms,
                               const ShapeDistanceOptions& options = {}, const Execution& execution = {});

}  // namespace geodome::internal
