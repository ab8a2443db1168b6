#pragma once
/// A triangle mesh through the points of a cloud, for solvers that need a surface.

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Joins the local triangulations of all points (see cloud_stars.h) into one mesh with the same points.
/// Triangles that most of their corners agree on come first, smaller ones before larger; none is taken that
/// would give an edge a third triangle or fold back onto a neighbour; then triangles that close holes are
/// added, those that join a point near a border to it, and those that fill what holes of up to six edges are
/// left. The result is edge-manifold, may have borders, and
/// its orientation may vary. A repeated point hangs on the first one at its position by a zero-area triangle.
/// A point that no others see as a neighbour stays unreferenced. Cost: O(#V k log k). Throws InputError on
/// non-finite coordinates or normals of another number than the points.
TriangleMesh triangulate_cloud(const PointCloud& cloud, Index neighbours = 8,
                               const Execution& execution = {});

}  // namespace geodome::internal
