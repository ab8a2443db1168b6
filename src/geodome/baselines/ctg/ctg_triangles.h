#pragma once
/// The geodesic Delaunay triangulation of samples on a surface: the dual of their Voronoi cells.

#include <array>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/baselines/landmark_columns.h"
#include "geodome/geodesic/adjacency.h"

namespace geodome::internal {

struct CtgTriangles {
  std::vector<Index> cell;                     ///< #V: the sample (a position), or -1
  std::vector<std::array<Index, 3>> triangle;  ///< samples, increasing; no triangle twice
  std::vector<Index> of_vertex;                ///< #V: its triangle, or -1 for a vertex of no component
  /// Samples at which the dual is no triangulation: around them its triangles form neither a ring nor, where
  /// the cell touches the border, a fan (a cell is no disc, two meet in several places, or it has fewer than
  /// three neighbours).
  std::vector<Index> broken;
  /// Vertices in no triangle of the dual that is near: theirs has the nearest samples for corners.
  Index repaired = 0;
};

/// Cells grow from all samples at once, in the order of the measured distances, so that each hangs together.
/// Where three of them meet in a face there is a triangle. A vertex takes, of the triangles at its sample and
/// at the samples beside it, the one it lies in, or least outside of. Where there is none, or only such as
/// are lines, its corners are its sample, the next nearest, and the one of the following that makes the
/// roundest triangle; in a component of fewer than three samples corners repeat. Any surface: borders, edges
/// of three faces, and handles. Cost: O(#E log #V) time and about 20 triangles looked at per vertex.
CtgTriangles ctg_triangles(const Triangles& faces, const Adjacency& edges, const LandmarkColumns& measured,
                           const Execution& execution = {});

/// For each broken sample the vertex of its cell farthest from it, where that is not the sample itself:
/// samples to add.
std::vector<Index> samples_to_add(const CtgTriangles& triangles, const LandmarkColumns& measured);

}  // namespace geodome::internal
