#pragma once
/// Paths over triangles by descent of approximate distances.

#include <span>
#include <vector>

#include "geodome/geodesic/exact/trace.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

/// Follows the steepest descent of a function that is linear on every triangle, from `target` to `source`:
/// straight across triangles, and along edges where the gradients of the triangles on both sides point to the
/// edge. Returns the source, where the path crosses edges and passes vertices, and the target.
///
/// `values` (one per surface vertex) are distances from the source, which need not be consistent: from a
/// local minimum the path follows edges to the nearest vertex with a smaller value. Values along a path
/// decrease otherwise, so that it ends at the source on any mesh. Both vertices must be in one component.
///
/// Cost: O(1) per crossed triangle; at a local minimum a search along edges to the vertex below.
std::vector<EdgePoint> descend(const HalfEdges& edges, std::span<const double> values, Index source,
                               Index target);

/// The shortest path in the triangles around this path, then in those around the result, until it gets no
/// shorter. Never longer than the path. `edges` are those of the surface.
///
/// Cost: exact distances in a band of triangles (windows.h), usually two to four times.
std::vector<EdgePoint> straightened(const Surface& surface, const HalfEdges& edges,
                                    std::vector<EdgePoint> path);

/// Length of the polyline.
double length_of(const Points& points, std::span<const EdgePoint> path);

}  // namespace geodome::internal
