#pragma once
/// W: the distances between the landmarks.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/solver.h"
#include "geodome/landmark/landmark_order.h"
#include "geodome/landmark/precision.h"

namespace geodome::internal {

struct LandmarkDistanceOptions {
  Precision precision = Precision::float32;
  /// Two one-sided distances disagree when they differ by more than this part of the larger. Solvers differ
  /// by less than a per cent with the direction; a row that went wrong is off by a factor.
  double tolerance = 0.1;
  /// Landmarks measured together, which may change distances as much as batches of sources do; 0: by their
  /// number.
  Index together = 0;
  /// Where finished rows are kept (block_log.h), so that a run that was broken off goes on from there; empty:
  /// nowhere. 4 bytes (8 in float64) for each pair and direction.
  std::string log{};
  /// With a team: whether the solver shares its work among the ranks by itself, and gives all of them the
  /// rows.
  bool solver_shares = false;
  /// With a team: the part of the rows that rank 0 measures, which has other work at the same time; negative:
  /// as much as others.
  double first_share = -1;
  std::string log_key{};  ///< all that decides the distances, besides landmarks and options
  /// W of more than `memory` bytes is kept in a file beside this one, which nobody sees (scratch_file.h);
  /// empty: in memory, whatever it takes. Where a rank of a team keeps it in a file, all do. It changes no
  /// distance.
  std::string scratch{};
  std::int64_t memory = 0;
};

struct LandmarkDistances {
  /// One packed triangle per component, one after the other (precision.h).
  PackedValues values;
  std::shared_ptr<const void> owner;  ///< of the values, which copies share
  std::int64_t scratch_bytes = 0;     ///< of the values in a scratch file; 0: they are in memory
  std::vector<double> step;        ///< #components with 16 bits: some per cent over a 65,535th of the largest
  std::vector<double> rounding{};  ///< #components with 16 bits: no distance was rounded by more
  std::vector<double> spacing;     ///< #components: the median distance from a landmark to the nearest other

  /// Landmarks (positions) whose row disagrees with their column at more than half of the others in their
  /// component: the solver went wrong there, and another landmark should take their place. In a component of
  /// two landmarks nobody can tell which of them it was: both are named.
  std::vector<Index> suspects;
  double mean_disagreement = 0;  ///< over all pairs, relative
  Index recalled = 0;            ///< landmarks whose rows came from the log
};

/// How many landmarks of a component are measured at once: enough for a solver to group (by 64 at most) and
/// share out, few enough for their rows to stay small. The default where options.together is 0.
std::size_t sources_together(std::size_t targets, const LandmarkDistanceOptions& options);

/// The average of both directions, which is more accurate than either. In 16 bits the first direction is
/// rounded before it meets the second, so that the average is off by three quarters of a step at most, and by
/// half a step more for each time that the step has to grow: seldom more than once. Cost: one row of the
/// solver per landmark. Memory: W in the stored precision and a block of rows, never all one-sided distances.
/// With W in a file one process holds none of it, and each of several ranks the rows that it folds; in 16
/// bits the first rank folds all rows, in the file. Throws NumericalError when neither direction of a pair in
/// one component has a finite distance.
LandmarkDistances landmark_distances(const GeodesicSolver& solver, const OrderedLandmarks& landmarks,
                                     const LandmarkDistanceOptions& options = {},
                                     const Execution& execution = {});

}  // namespace geodome::internal
