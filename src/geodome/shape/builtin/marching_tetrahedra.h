#pragma once
/// A mesh of the zero set of a function, by marching tetrahedra on a grid [Doi and Koide 1991].

#include <functional>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// One vertex on each edge of the grid's tetrahedra (six to a cube of edge `cell`) where the function changes
/// sign; faces are turned towards positive values. Always closed and manifold; triangles may be thin. The
/// function must be positive on the box's faces and change by no more than the distance between two points
/// (Lipschitz 1), which lets blocks far from the surface be skipped. Cost: 32 bytes per cube of the box, one
/// evaluation per cube near the surface.
TriangleMesh mesh_zero_set(const std::function<double(const Eigen::Vector3d&)>& function,
                           const Eigen::Vector3d& low, const Eigen::Vector3d& high, double cell);

}  // namespace geodome::internal
