#pragma once
/// Better triangles on the same closed surface: edges flipped, vertices moved along it.

#include <functional>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Flips inner edges where that brings the degrees of the four vertices around closer to six, without folding
/// the surface. Returns how many were flipped. Cost: linear.
Index flip_to_even_degrees(TriangleMesh& mesh);

/// Flips inner edges whose opposite angles sum to more than a half turn (Delaunay), without folding.
Index flip_to_delaunay(TriangleMesh& mesh);

/// Moves every vertex to the mean of its neighbours, `rounds` times, each time back onto the surface by
/// `project`. Boundary vertices too, so use it on closed meshes. Cost: linear, one projection per vertex and
/// round.
void relax(TriangleMesh& mesh, int rounds,
           const std::function<Eigen::Vector3d(const Eigen::Vector3d&)>& project,
           const Execution& execution = {});

}  // namespace geodome::internal
