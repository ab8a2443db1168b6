#pragma once
/// A surface known by its edge lengths alone, and the Delaunay triangulation of its vertices within it.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Triangles of given edge lengths. After flips two vertices may be joined by several edges, or one by an
/// edge to itself: a face is then no longer known by its corners, and its length k belongs to its side
/// opposite corner k.
struct IntrinsicMesh {
  Triangles triangles;  ///< #F by 3
  Points lengths;       ///< #F by 3
};

/// The lengths of a mesh's edges. Where triangles are degenerate or nearly so, the same small length, in the
/// worst case 1e-6 of the mean edge, is added to all edges, until each triangle has a safe area
/// ("mollification" [Sharp and Crane 2020]). Faces with a repeated corner are left out.
IntrinsicMesh intrinsic_mesh(const Points& points, const Triangles& triangles);

/// Flips edges until the triangulation is Delaunay: opposite angles at each edge sum to at most pi, so that
/// no cotangent weight is negative [Bobenko and Springborn 2007]. The vertices stay. Edges at the border, of
/// three or more faces, or across which the surface cannot be oriented are left. Returns the number of flips.
/// Cost: usually O(#F).
std::int64_t flip_to_delaunay(IntrinsicMesh& mesh);

}  // namespace geodome::internal
