#pragma once
/// The triangles around one vertex of a two-dimensional Delaunay triangulation, without the rest of it.

#include <array>
#include <span>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// A planar neighbour of the origin.
struct StarPoint {
  Eigen::Vector2d position = Eigen::Vector2d::Zero();
  /// Weight of the point minus that of the origin, in squared length; |weight| far below the squared distance
  /// to the origin. Weights that are the same in every star decide among points on a common circle the same
  /// way.
  double weight = 0;
};

/// The triangles (origin, points[a], points[b]) of the Delaunay triangulation of the origin and the points,
/// as pairs (a, b), counter-clockwise. Where the origin is on the border of the points' convex hull the ring
/// is open.
///
/// Inversion in a circle around the origin turns the Voronoi cell of the origin into its dual: the Delaunay
/// neighbours are the corners of the convex hull of the inverted points and the origin, in order around it.
/// Points at the origin are ignored. Cost: O(k log k).
std::vector<std::array<Index, 2>> delaunay_star(std::span<const StarPoint> points);

}  // namespace geodome::internal
