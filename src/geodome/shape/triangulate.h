#pragma once
/// Splits polygons into triangles.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Corners a face may have: splitting takes quadratic time, and a longer list is a broken file rather than a
/// face.
inline constexpr Index largest_degree = 10000;

/// The same vertices with every face of n corners split into n - 2 triangles along diagonals, in the order of
/// the faces. Flat polygons, convex or not, are covered exactly once and no triangle is turned over; of all
/// such ways the one whose worst triangle is best is taken (up to 32 corners; beyond that corners are cut
/// off, best first, until 32 are left). Bent polygons are judged in the plane of their vector area. A corner
/// that follows itself counts once; triangles with a repeated corner are left out, and if the others do not
/// hold all corners together, a corner counts only where it comes first. Cost: O(n^3) time for a
/// face of n corners up to 32, O(n^2) beyond. Throws InputError if an index is out of range or a face has
/// more than `largest_degree` corners. [G. Klincsek, Minimal triangulations of polygonal domains, 1980]
TriangleMesh triangulate(const PolygonMesh& mesh);

}  // namespace geodome::internal
