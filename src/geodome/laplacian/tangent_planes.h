#pragma once
/// The tangent plane and the local spacing at every point of a cloud.

#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/laplacian/neighbours.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct TangentPlane {
  Eigen::RowVector3d x, y, normal;  ///< orthonormal; the sign of the normal is arbitrary
  /// Distance between neighbouring points: the square root of the area per point. Zero if there is one point.
  double spacing = 0;
};

/// The planes at distinct points, #V. `tree` holds the points; `normals` are unit vectors, zero where
/// unknown, or empty. Where there is no normal, a plane of least squares is fitted twice: to the 8 nearest
/// points (more where these are nearly on a line), which another sheet three spacings away hardly reaches,
/// and then to those of the 16 nearest that lie on the same sheet according to the first fit, which averages
/// noise. The spacing is the lower quartile over a point and its neighbours, because points at a border see
/// half as many neighbours and points in a corner a quarter. Cost: O(#V log #V).
std::vector<TangentPlane> tangent_planes(const Points& points, const Points& normals,
                                         const NeighbourTree& tree, const Execution& execution = {});

}  // namespace geodome::internal
