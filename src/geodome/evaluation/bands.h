#pragma once
/// Ranges of distance by which errors are told apart: what is far from the diagonal hides what is near it.

#include <string>
#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome {

/// Band b holds the distances in [edges[b], edges[b + 1]) times `unit`. The edges increase from zero to
/// infinity.
struct DistanceBands {
  std::string unit_name = "length";
  double unit = 1;
  std::vector<double> edges = {0, infinity};

  std::size_t size() const { return edges.size() - 1; }
  /// The band of a finite distance that is not negative.
  std::size_t find(double distance) const;
};

/// In units of the typical distance between neighbouring landmarks (of the component with the most of them):
/// the error of a symmetric form depends on the distance in these units.
DistanceBands spacing_bands(const internal::LandmarkMatrix& matrix);

/// In units of the shape's extent: the largest distance from the vertex farthest from vertex 0 (within its
/// component), between half the diameter and all of it. Cost: two rows.
DistanceBands extent_bands(const GeodesicSolver& solver, const Execution& execution = {});

namespace internal {

/// Throws InputError when the edges do not increase from zero to infinity or the unit is not positive.
void check_bands(const DistanceBands& bands);

}  // namespace internal

}  // namespace geodome
