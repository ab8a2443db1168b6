#pragma once
/// What a build reports about itself.

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/base/types.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/options.h"
#include "geodome/interpolation/options.h"
#include "geodome/landmark/options.h"

namespace geodome {

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
  std::string geodesic;  ///< the method that measured; "given" for user-supplied distances
  /// Of an automatic choice: the methods whose error was measured. All but the last were not accurate enough;
  /// the last too, where `geodesic` is another.
  std::vector<MeasuredSolver> tried_solvers;
  /// The coarser mesh that the distances between landmarks were measured on; its share is 1 where they were
  /// measured on the shape itself. And the meshes whose error was measured to choose it, all but the last or
  /// all of them accurate enough.
  CoarseMesh coarse_mesh;
  std::vector<CoarseMesh> tried_meshes;
  Index landmarks = 0;                     ///< 0 where the method has none
  Index added_landmarks = 0;               ///< of these, those that ctg added to repair its triangulation
  double cover_radius = 0;                 ///< the largest distance from a vertex to its nearest landmark
  Index recalled = 0;                      ///< landmarks whose distances came from the log of an earlier run
  std::int64_t scratch_bytes = 0;          ///< of landmark distances that a file holds, not memory
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

}  // namespace geodome
