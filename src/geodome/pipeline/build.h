#pragma once
/// The main job: all distances of a shape as a matrix, by any method.
///
///   const Shape shape = clean_shape(read_shape("bunny.obj")).shape;
///   const Build built = build_matrix(shape, {.landmarks = 500});
///   save_matrix("bunny.geodome", *built.matrix, built.recipe, &shape);
///
/// geodome.h has the same with queries on top.

#include <memory>
#include <optional>
#include <string>

#include "geodome/base/execution.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/landmark_error.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/summary.h"

namespace geodome::internal {

class PreparedShape;
class SharedSolvers;

struct Build {
  std::shared_ptr<const DistanceMatrix> matrix;
  /// JSON: everything that determines the result, and nothing that differs between two runs.
  std::string recipe;
  BuildSummary summary;
  std::optional<Evaluation> certificate{};  ///< also in the recipe
  /// Of a matrix P W Pᵀ that was measured on the shape, where it is known; also in the recipe, except parts.
  std::optional<LandmarkError> landmark_error{};
};

/// The shape must be clean (clean.h). Cost of cell, the default: docs/methods/cells.md; of sbha: time about
/// 0.1 µs per vertex and landmark for W and 0.1 ms per vertex for the rest; memory that of the result plus
/// one factorisation (bha: #V by #landmarks numbers). Of the baselines: docs/methods/baselines.md. Throws
/// InputError where options or shape do not allow it, or where memory_bound is too little, naming the bytes;
/// NumericalError where the arithmetic fails; Cancelled.
/// `shared`: solvers of earlier builds of this shape, whose options differ in the number of landmarks and the
/// geodesic method only; the result is the same without.
Build build_matrix(const Shape& shape, const BuildOptions& options = {}, const Execution& execution = {},
                   std::shared_ptr<SharedSolvers> shared = {});

/// The same on a shape that several builds share. How distances are measured, the mask, the Laplacian and the
/// seed of the neighbour searches are those of `prepared`. Stages that were computed before count with the
/// time they took.
Build build_matrix(PreparedShape& prepared, const BuildOptions& options = {},
                   const Execution& execution = {});

}  // namespace geodome::internal
