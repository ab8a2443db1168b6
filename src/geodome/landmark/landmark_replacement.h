#pragma once
/// Landmarks whose distances can be trusted: those at which the solver went wrong give way to neighbours.
///
///   const SettledLandmarks settled = settle_landmarks(*solver, adjacency, order_landmarks(adjacency,
///   chosen));
///   // settled.distances.suspects is empty; settled.replaced tells what was changed

#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/landmark/options.h"

namespace geodome::internal {

struct SettledLandmarks {
  OrderedLandmarks landmarks;
  LandmarkDistances distances;  ///< without suspects
  std::vector<ReplacedLandmark> replaced;
};

/// W of the landmarks. As long as there are suspects (landmark_distances.h), each gives way to the vertex
/// nearest to it along edges that neither is nor was a landmark nor lies at distance zero from one (ties: the
/// smaller vertex), the landmarks are put in order anew and W is computed again, at most three times.
/// Cost: that of landmark_distances, once more for each round. Throws NumericalError naming the landmarks
/// when suspects are left in the end or there is no vertex to take the place of one.
SettledLandmarks settle_landmarks(const GeodesicSolver& solver, const Adjacency& adjacency,
                                  OrderedLandmarks landmarks, const LandmarkDistanceOptions& options = {},
                                  const Execution& execution = {});

}  // namespace geodome::internal
