#pragma once
/// A quick check of a finished matrix against a few rows of the solver it was built with, so that a build
/// whose distances are far off says so. It sees what the matrix adds to the error, not the error of the
/// solver; distance_error.h measures against any truth.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// Rows measured beforehand, while the solver is at hand.
struct SpotRows {
  std::vector<Index> vertices;
  RowMatrix<float> distances;  ///< #vertices by #V
};

/// `count` vertices at random among those with a component (`component`: #V, -1 for none); of a team rank 0
/// measures `first_share` of the rows, unless that is negative. Cost: as many rows of the solver, and 4 bytes
/// per distance.
SpotRows measure_spot_rows(const GeodesicSolver& solver, std::span<const Index> component, Index count,
                           std::uint64_t seed, const Execution& execution = {}, double first_share = -1);

/// Throws InputError when sizes do not fit.
SpotCheck check_spots(const DistanceMatrix& distances, const SpotRows& rows, const Execution& execution = {});

/// A sentence for each thing that a user should know: ratios above 3 of more than one pair in 10,000, or a
/// mean error above 5 %.
std::vector<std::string> spot_warnings(const SpotCheck& check);

}  // namespace geodome::internal
