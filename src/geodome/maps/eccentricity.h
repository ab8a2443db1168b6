#pragma once
/// How far the farthest vertex is, for every vertex; the diameter and the centre.

#include <cstdint>
#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome {

struct EccentricityOptions {
  /// Of the diameter: how much a result may be below the largest entry of its row. The default takes some
  /// tens of rows on shapes with limbs and thousands on round ones; 0 is exact.
  double tolerance = 0.01;
  /// The search ends after so many rows in a component, whatever the bound is then; 0: never. The default
  /// takes seconds on 200,000 vertices.
  std::int64_t most_rows = 500;
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

/// Rows of farthest points one after the other, each of the vertex that may raise any result most, until none
/// can by more than the tolerance: from any vertex, another one is at most its distance to the vertex of a
/// row farther away than that vertex is. The bound relies on the triangle inequality, which an approximate
/// matrix obeys up to its error.
///
/// Cost: `rows` rows and O(#V) each. Throws InputError on a tolerance outside [0, 1] and a
/// negative number of rows.
Eccentricity eccentricity(const DistanceMatrix& matrix, const EccentricityOptions& options = {},
                          const Execution& execution = {});

}  // namespace geodome
