#pragma once
/// The main job: all distances of a shape as a compact matrix.
///
///   const Shape shape = clean_shape(read_shape("bunny.obj")).shape;
///   BuildOptions options;
///   options.landmarks.count = 500;
///   const Build result = build(shape, options);
///   const double d = NearField(*result.matrix, lower_bound(shape)).query(7, 42);
///   save_matrix("bunny.geodome", *result.matrix, result.recipe, &shape);

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/evaluation/spot_check.h"
#include "geodome/landmark/landmark_replacement.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/row_bounds.h"
#include "geodome/pipeline/options.h"

namespace geodome {

struct BuildStage {
  std::string name;             ///< "landmark", "laplacian", "geodesic", "interpolation", "pack"
  double seconds = 0;           ///< on the clock; with several threads two stages may run at once
  std::int64_t peak_bytes = 0;  ///< resident memory at its highest during the stage
};

struct BuildSummary {
  std::vector<BuildStage> stages;
  double seconds = 0;
  std::int64_t peak_bytes = 0;
  Index components = 0;
  std::string geodesic;          ///< the method that measured, "given" for the user's distances
  double cover_radius = 0;       ///< the largest distance from a vertex to its nearest landmark
  Index recalled = 0;            ///< landmarks whose distances an earlier run had measured
  double mean_disagreement = 0;  ///< between the two directions of a landmark distance, relative
  std::vector<ReplacedLandmark>
      replaced;  ///< landmarks at which the solver went wrong, and what took their place
  InterpolationSummary interpolation;  ///< rows that lost weight, how the solver went
  RowBounds bounds;                    ///< rows of P that had to be replaced
  SpotCheck check;                     ///< against a few rows of the solver
  /// What a user must know about the distances, a sentence each; empty where nothing was found.
  std::vector<std::string> warnings;
};

struct Build {
  std::shared_ptr<const LandmarkMatrix> matrix;
  /// JSON: everything that decides the result, and nothing that differs between two runs.
  std::string recipe;
  BuildSummary summary;
};

/// The shape must be clean (clean.h). Cost: time about 0.1 µs per vertex and landmark for W and 0.1 ms per
/// vertex for all else; memory that of the result plus one factorisation (bha: #V by #landmarks numbers).
/// Throws InputError when options or shape do not allow it, NumericalError where the arithmetic fails,
/// Cancelled.
Build build(const Shape& shape, const BuildOptions& options = {}, const Execution& execution = {});

/// Coordinates in which no path is shorter than its chord: #V by d; empty for graphs.
RowMatrix<double> positions_of(const Shape& shape);

}  // namespace geodome
