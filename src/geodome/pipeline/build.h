#pragma once
/// The main job: all distances of a shape as a matrix, by any method.
///
///   const Shape shape = clean_shape(read_shape("bunny.obj")).shape;
///   const Build built = build_matrix(shape, {.landmarks = 500});
///   save_matrix("bunny.geodome", *built.matrix, built.recipe, &shape);
///
/// geodome.h has the same with queries on top.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/evaluation/spot_check.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/landmark_replacement.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/row_bounds.h"
#include "geodome/pipeline/options.h"

namespace geodome {

class PreparedShape;

struct BuildStage {
  std::string name;             ///< "landmark", "laplacian", "geodesic", "interpolation", "pack", …
  double seconds = 0;           ///< wall clock; with several threads two stages may run at the same time
  std::int64_t peak_bytes = 0;  ///< the highest resident memory during the stage
};

struct BuildSummary {
  std::vector<BuildStage> stages;
  double seconds = 0;
  std::int64_t peak_bytes = 0;
  Index components = 0;
  std::string geodesic;                    ///< the method that measured; "given" for user-supplied distances
  Index landmarks = 0;                     ///< 0 where the method has none
  Index added_landmarks = 0;               ///< of these, those that ctg added to repair its triangulation
  double cover_radius = 0;                 ///< the largest distance from a vertex to its nearest landmark
  Index recalled = 0;                      ///< landmarks whose distances came from the log of an earlier run
  double mean_disagreement = 0;            ///< between the two directions of a landmark distance, relative
  std::vector<ReplacedLandmark> replaced;  ///< landmarks at which the solver failed, and their replacements
  InterpolationSummary interpolation;
  RowBounds bounds;           ///< rows of P that had to be replaced
  std::int64_t nonzeros = 0;  ///< of a sparse P, else 0
  /// Bytes counted in the matrix; the same numbers with 8 bytes per value, 4 per index and all of a symmetric
  /// matrix, as the reference counts; and the workspace of the method's own scaling, which is in neither.
  std::int64_t bytes = 0;
  std::int64_t reference_bytes = 0;
  std::int64_t workspace_bytes = 0;
  SpotCheck check;   ///< against a few rows of the solver
  std::string note;  ///< a remark of the method, if any
  /// What a user must know about the distances, a sentence each; empty where nothing was found.
  std::vector<std::string> warnings;
};

struct Build {
  std::shared_ptr<const DistanceMatrix> matrix;
  /// JSON: everything that determines the result, and nothing that differs between two runs.
  std::string recipe;
  BuildSummary summary;
};

/// The shape must be clean (clean.h). Cost of sbha: time about 0.1 µs per vertex and landmark for W and 0.1
/// ms per vertex for the rest; memory that of the result plus one factorisation (bha: #V by #landmarks
/// numbers). Of the baselines: docs/baselines.md. Throws InputError where options or shape do not allow it,
/// or where memory_bound is too little, naming the bytes; NumericalError where the arithmetic fails;
/// Cancelled.
Build build_matrix(const Shape& shape, const BuildOptions& options = {}, const Execution& execution = {});

/// The same on a shape that several builds share. How distances are measured, the mask, the Laplacian and the
/// seed of the neighbour searches are those of `prepared`. Stages that were computed before count with the
/// time they took.
Build build_matrix(PreparedShape& prepared, const BuildOptions& options = {},
                   const Execution& execution = {});

}  // namespace geodome
