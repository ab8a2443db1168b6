#pragma once
/// Shortest paths as polylines, traced back through the windows that found their length.

#include <vector>

#include "geodome/geodesic/exact/halfedge.h"
#include "geodome/geodesic/exact/windows.h"

namespace geodome::internal {

/// Where a path crosses the edge from a to b, `part` of its length away from a; a vertex where a is b.
struct EdgePoint {
  Index a = 0;
  Index b = 0;
  double part = 0;

  bool is_vertex() const { return a == b; }
};

/// The shortest path from the source of the last run of `windows` to `target`, whose distance is finite and
/// exact: the source, where it crosses edges and passes vertices, and the target. Straight across every
/// triangle, and as long as the distance to rounding.
///
/// A path is straight until it bends at a vertex, and the point from which it enters a vertex is known: the
/// line to it is laid through one triangle after the other. Where the line ends at a corner, or passes one
/// within rounding, it goes on with the path to that corner. Across an edge of more than two triangles it
/// follows the window it came from.
///
/// Cost: O(1) per crossed triangle; O(windows on the edge) across an edge of more than two.
std::vector<EdgePoint> trace_back(const HalfEdges& edges, const WindowPropagation& windows, Index source,
                                  Index target);

}  // namespace geodome::internal
