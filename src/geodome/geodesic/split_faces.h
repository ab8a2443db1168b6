#pragma once
/// Makes points of a surface its vertices.

#include <span>
#include <vector>

#include "geodome/shape/shape.h"
#include "geodome/shape/surface_point.h"

namespace geodome::internal {

/// A mesh with further vertices. The surface is the same: faces that hold points are split, flat.
struct SplitMesh {
  TriangleMesh mesh;
  Index original = 0;               ///< vertices of the mesh that was split; further ones come after them
  std::vector<SurfacePoint> added;  ///< where the further vertices are on that mesh
  std::vector<Index> vertex;        ///< of each point

  /// Where a vertex of `mesh` is on the mesh that was split.
  SurfacePoint place(Index of) const { return of < original ? SurfacePoint(of) : added[of - original]; }
};

/// Points within 1e-12 of an edge or a corner, in barycentric coordinates, are put on it. Cost: O(#F) time
/// if there is any point off the vertices. Throws InputError unless the corners of every point are those of a
/// face, or of an edge of one, and the weights are not negative and sum to one within 1e-6.
SplitMesh split_at_points(TriangleMesh mesh, std::span<const SurfacePoint> points);

/// The same point with the corners of positive weight first, increasing and each once, the others repeating
/// the first of them, and weights that sum to one. Throws InputError on a vertex outside [0, vertices) and on
/// weights as above.
SurfacePoint normalised(const SurfacePoint& point, Index vertices);

/// How many corners of a normalised point have positive weight.
int corner_count(const SurfacePoint& point);

}  // namespace geodome::internal
