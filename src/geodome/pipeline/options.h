#pragma once
/// Options of a build, and the names of the choices.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "geodome/base/names.h"
#include "geodome/baselines/options.h"
#include "geodome/geodesic/solver.h"
#include "geodome/interpolation/options.h"
#include "geodome/landmark/options.h"
#include "geodome/laplacian/options.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/pipeline/methods.h"

namespace geodome {

struct BuildOptions {
  Method method = Method::cell;
  /// A `count` of 0 chooses (default_landmark_count).
  LandmarkOptions landmarks{0};
  /// How distances are measured; `geodesic.keep` is the mask.
  GeodesicOptions geodesic{};
  /// An NPY file (#V by #V) with user-supplied distances to use instead of measuring; empty: none.
  std::string distances{};
  /// The same from any other source (precomputed.h); null: none. Methods with factors only.
  std::shared_ptr<const GeodesicSolver> solver{};
  /// Where distances between landmarks alone are needed, of a mesh: they may be measured on a coarser mesh of
  /// one in so many of its vertices, 2 to 1,024. 0: on the coarsest one whose mean error on a few exact rows
  /// is at most 0.1 %, if the geodesic method is left open and that saves time (coarse_marching.h); 1: on the
  /// mesh itself. Methods with factors only.
  Index coarsen = 0;
  static constexpr Index coarsest = 1024;
  LaplacianOptions laplacian{};
  InterpolationOptions interpolation{};
  /// Of W, for methods with factors.
  Precision precision = Precision::float32;
  /// Of cell-coded matrices: factor of all rounding steps. Larger: fewer bytes and more error.
  double rounding = 1;
  /// Of cell-coded matrices: weights are polynomials of the positions of vertices; nothing but the cell of a
  /// vertex is stored for it. Only for shapes with 3-D coordinates, and the file must contain the shape.
  bool positional = false;
  /// The kind of the matrix. W holds distances either way.
  DistanceKind kind = DistanceKind::distance;
  /// Parameters of single baselines.
  BaselineOptions baseline{};
  /// File that keeps distances between landmarks as they are measured, so that an interrupted build can be
  /// resumed (block_log.h); empty: none. It does not change the result; the caller removes it. Methods with
  /// factors only.
  std::string log{};
  /// Landmarks measured between two writes to the log; 0: by their number. Part of the recipe, as sources
  /// that are measured together may have slightly different distances.
  Index log_every = 0;
  /// Distances between landmarks of more than `landmark_memory` bytes are kept in a temporary file in the
  /// folder of this one while the matrix is in use, not in memory; empty: in memory, whatever they take. With
  /// ranks each holds the part that it works on. For sbha and bha: cell holds them while it codes them.
  /// Neither changes the result.
  std::string scratch{};
  std::int64_t landmark_memory = 0;
  /// Exact rows that the error in the recipe is measured on (certificate.h); 0: the error is not measured,
  /// -1: a number that takes about a tenth of the time of the build (certificate_rows), for methods that a
  /// file can hold. They do not change the matrix.
  Index certificate_rows = -1;
  /// Rows of the solver that measured the landmarks to check the finished matrix with (spot_check.h) where no
  /// certificate does; 0: none. They do not change it either.
  Index check_rows = 8;
  /// Of every random choice; replaces the seeds in the options above.
  std::uint64_t seed = 0;
  /// Bytes that dense factors (bha) or a baseline held in memory, and their construction, may take. Above,
  /// InputError names the bytes.
  std::int64_t memory_bound = std::int64_t{8} << 30;

  /// Whether distances are measured on the shape; otherwise they are user-supplied.
  bool measures() const { return distances.empty() && solver == nullptr; }
};

/// A fifth of the vertices but at least 50 (all, if there are fewer) and at most 1,000 in one component. Of
/// several components (`sizes`: their numbers of vertices) the bound is where W has about as many entries as
/// for 1,000 landmarks in one: 1,000 √c for c components of one size, and never more than 10,000; at least
/// one landmark per component.
Index default_landmark_count(std::span<const Index> sizes);

/// BuildOptions::coarsen from "auto", "off" or a number. Throws InputError for anything else.
Index coarsening(std::string_view given);

std::span<const Named<Precision>> precisions();
std::span<const Named<Sparsity>> sparsities();
std::span<const Named<InterpolationMethod>> interpolation_methods();
std::span<const Named<LandmarkMethod>> landmark_methods();
std::span<const Named<DistanceKind>> distance_kinds();
std::span<const Named<GraphWeights>> graph_weights();

}  // namespace geodome
