#pragma once
/// The local Delaunay triangulation around every point of a cloud, in its tangent plane.

#include <array>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct CloudStars {
  /// The star of point v: triangles (v, a, b) for each pair of triangles[offsets[v] .. offsets[v + 1]).
  std::vector<std::size_t> offsets{0};
  std::vector<std::array<Index, 2>> triangles;
  /// The first point at the same position, itself for all but repeated points. Only first points have stars.
  std::vector<Index> representative;
  /// Local distance between neighbours (see tangent_planes.h), zero for repeated points.
  std::vector<double> spacing;
};

/// Triangulates the `neighbours` nearest points of each point in its tangent plane (the given normal, or the
/// plane of least squares; see tangent_planes.h) and keeps the triangles at the point. While these do not
/// surround the point, the number of neighbours is doubled, up to sixteen times the given one; where that
/// does not help either, the point is at a border.
///
/// Other sheets are told apart by height: a neighbour is left out if it rises steeply above the tangent
/// plane, or is more than 2 spacings (1.2 at a border) above the tangent plane of either point, and a
/// triangle if its normal is more than 60° from those of two of its corners (one at a border). So two sheets
/// three spacings apart stay apart. Closer ones need normals: points whose normals are more than 90° apart
/// are not joined. Cost: O(#V k log k + #V log #V). Throws InputError on non-finite coordinates, normals of
/// another number than the points, or fewer than 5 neighbours.
CloudStars cloud_stars(const PointCloud& cloud, Index neighbours, const Execution& execution = {});

}  // namespace geodome::internal
