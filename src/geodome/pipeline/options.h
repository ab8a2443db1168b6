#pragma once
/// What a build can be told, and the names of the choices.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "geodome/base/names.h"
#include "geodome/geodesic/factory.h"
#include "geodome/interpolation/operator.h"
#include "geodome/landmark/landmarks.h"
#include "geodome/laplacian/laplacian.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/packed_symmetric.h"

namespace geodome {

enum class BuildMethod {
  sbha,  ///< sparse P: the compact matrix
  bha,   ///< all of P: #V by #landmarks numbers
};

struct BuildOptions {
  BuildMethod method = BuildMethod::sbha;
  /// A `count` of 0 chooses (default_landmark_count).
  LandmarkOptions landmarks{LandmarkMethod::farthest, 0, 0, {}};
  /// How landmarks are measured; `geodesic.keep` is the mask.
  GeodesicOptions geodesic;
  /// An NPY file (#V by #V) to take the distances from, instead of measuring them; empty: none.
  std::string distances{};
  /// The same from anything else that knows them (given.h); null: none.
  std::shared_ptr<const GeodesicSolver> solver{};
  LaplacianOptions laplacian;
  InterpolationOptions interpolation;
  Precision precision = Precision::float32;
  /// What the matrix answers with. W holds distances either way.
  DistanceKind kind = DistanceKind::distance;
  /// Where distances between landmarks are kept as they are measured, so that a run that was broken off goes
  /// on from there (block_log.h); empty: nowhere. It does not change the result, and is the caller's to
  /// remove.
  std::string log{};
  /// Landmarks measured between two entries into the log; 0: by their number. Part of the recipe, as sources
  /// that are measured together may come out a little different.
  Index log_every = 0;
  /// Rows that are measured to check the finished matrix with (spot_check.h); 0: none. They do not change it.
  Index check_rows = 8;
  /// Of every random choice; takes the place of the seeds in the options above.
  std::uint64_t seed = 0;

  /// Whether distances are measured on the shape; otherwise they are the user's.
  bool measures() const { return distances.empty() && solver == nullptr; }
};

/// A fifth of the vertices but at least 50 (all, if there are fewer) and at most 1,000; at least one per
/// component. Only vertices with a neighbour count.
Index default_landmark_count(Index vertices, Index components);

std::span<const Named<BuildMethod>> build_methods();
std::span<const Named<Precision>> precisions();
std::span<const Named<Sparsity>> sparsities();
std::span<const Named<InterpolationMethod>> interpolation_methods();
std::span<const Named<LandmarkMethod>> landmark_methods();
std::span<const Named<DistanceKind>> distance_kinds();
std::span<const Named<GraphWeights>> graph_weights();

}  // namespace geodome
