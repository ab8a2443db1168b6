#pragma once
/// How far the farthest vertex is, for every vertex; the diameter and the centre.

#include <cstdint>
#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome {

struct EccentricityOptions {
  /// Of the diameter: how much a result may be below the largest entry of its row. The default takes some
  /// hundreds of rows on round shapes and some tens on shapes with limbs; 0 is exact, and takes nearly all
  /// rows on round ones.
  double tolerance = 0.01;
};

struct Eccentricity {
  Vector eccentricity;          ///< #V: the largest finite distance; NaN for a vertex without component
  std::vector<Index> farthest;  ///< #V: the vertex at that distance; -1 for a vertex without component
  double bound = 0;             ///< no result is below the largest entry of its row by more than this
  double diameter = 0;          ///< the largest eccentricity
  Index from = -1, to = -1;     ///< two vertices at that distance
  Index centre = -1;            ///< the vertex of least eccentricity in the component with most vertices
  double radius = 0;            ///< its eccentricity
  std::int64_t rows = 0;        ///< rows of the matrix that were computed
};

/// Farthest points one after the other, each with its row, until no vertex that is left can be the farthest
/// one of any: it is at most its distance to the nearest row's vertex farther than that vertex is. The bound
/// relies on the triangle inequality, which an approximate matrix obeys up to its error.
///
/// Cost: `rows` rows and O(#V) each. Throws InputError on a tolerance outside [0, 1].
Eccentricity eccentricity(const DistanceMatrix& matrix, const EccentricityOptions& options = {},
                          const Execution& execution = {});

}  // namespace geodome
