#pragma once
/// Finer meshes. The input's vertices keep their indices 0 … #V-1; one vertex per edge follows, and for
/// polygons one per face after those.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Every triangle in four at its edges' midpoints; the surface and all distances on it stay what they were.
/// Cost: linear. Throws InputError where the result would not fit 32-bit indices.
TriangleMesh subdivide_midpoint(const TriangleMesh& mesh);

/// Loop's smoothing subdivision [Loop 1987]: the limit is a smooth surface. Boundary and non-manifold edges
/// are creases, smoothed along themselves only; a vertex where other than two of them meet stays in place.
TriangleMesh subdivide_loop(const TriangleMesh& mesh);

/// Every polygon of d corners in d quads, at its edges' midpoints and its corners' mean.
PolygonMesh subdivide_midpoint(const PolygonMesh& mesh);

/// The smoothing subdivision of Catmull and Clark [1978], with creases as in subdivide_loop.
PolygonMesh subdivide_catmull_clark(const PolygonMesh& mesh);

/// `times` rounds of the above on a mesh of either kind. Throws InputError for any other kind of shape.
Shape subdivide(const Shape& shape, int times, bool smooth);

}  // namespace geodome::internal
