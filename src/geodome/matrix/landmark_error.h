#pragma once
/// How far the distances between landmarks in a matrix P W Pᵀ may be from those of the shape.

#include <cstdint>
#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// Errors are in landmark spacings of the component.
struct LandmarkError {
  /// Entries of W smaller than this many spacings have an error of their own: a fit changes them more.
  static constexpr double near_end = 3;
  static constexpr int parts_of_far = 255;

  double near = 0;       ///< the largest difference between W and the measured distances, of these entries
  double far = 0;        ///< of all others
  double solver = 0;     ///< the largest error found in measured distances; 0 where they are exact
  Index rows = 0;        ///< of landmarks, in which `solver` was found
  bool certain = false;  ///< whether measured distances are exact
  std::vector<std::uint8_t> parts;  ///< #landmarks: of `far`, the part that one landmark has; empty: all

  /// Of the entry `distance` of W between these landmarks (positions among all), in a component with this
  /// spacing.
  double of(Index a, Index b, double distance, double spacing) const;
};

/// The difference between W in the matrix and as it was measured (not in 16 bits), of the same landmarks in
/// the same order. Cost: 10 ns per pair of landmarks.
LandmarkError stored_error(const LandmarkMatrix& matrix, const LandmarkDistances& measured);
/// The same where the matrix stores W as it was measured: what 16 bits have rounded off.
LandmarkError rounding_error(const LandmarkDistances& measured);

/// Distances from some landmarks to all in their components.
struct LandmarkRows {
  std::vector<Index> sources;
  std::vector<std::vector<Index>> targets;     ///< for each source
  std::vector<std::vector<double>> distances;  ///< to these
  std::vector<double> spacing;                 ///< for each source
};

/// `count` rows of W, by the seed.
LandmarkRows some_landmark_rows(const OrderedLandmarks& landmarks, const LandmarkDistances& measured,
                                Index count, std::uint64_t seed);

/// Their largest error, in spacings, by a solver that has none. Cost: a row of the solver for each.
double largest_error(const LandmarkRows& rows, const GeodesicSolver& truth, const Execution& execution = {});

}  // namespace geodome::internal
