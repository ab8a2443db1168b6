#pragma once
/// The local Delaunay triangulation around every point of a cloud, in its tangent plane.

#include <array>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome {

struct CloudStars {
  /// The star of point v: triangles (v, a, b) for each pair of triangles[offsets[v] .. offsets[v + 1]).
  std::vector<std::size_t> offsets{0};
  std::vector<std::array<Index, 2>> triangles;
  /// The first point at the same position, itself for all but repeated points. Only first points have stars.
  std::vector<Index> representative;
};

/// Triangulates the `neighbours` nearest points of each point in its tangent plane (the given normal, or the
/// plane of least squares) and keeps the triangles at the point. More neighbours are fetched, up to four
/// times as many, where these do not surround the point. Points on the other side of a thin sheet are told
/// apart by their height above the tangent plane and, where there are normals, by these. Cost: O(#V k log k +
/// #V log #V). Throws InputError on non-finite coordinates, normals of another number than the points, or
/// fewer than 5 neighbours.
CloudStars cloud_stars(const PointCloud& cloud, Index neighbours, const Execution& execution = {});

}  // namespace geodome
