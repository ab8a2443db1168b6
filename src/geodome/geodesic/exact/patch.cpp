#include "geodome/geodesic/exact/patch.h"

#include <algorithm>
#include <cmath>

#include "geodome/geodesic/exact/exact.h"

namespace geodome::internal {
namespace {

bool has_zero_edge(const TriangleMesh& piece) {
  for (Index f = 0; f < piece.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (coincide(piece.points.row(piece.triangles(f, k)),
                   piece.points.row(piece.triangles(f, k == 2 ? 0 : k + 1))))
        return true;
  return false;
}

}  // namespace

void patch_distances(const TriangleMesh& piece, Index source, double limit, std::vector<double>& distance) {
  distance.assign(static_cast<std::size_t>(piece.points.rows()), infinity);
  if (piece.triangles.rows() == 0) {
    distance[source] = 0;
    return;
  }
  if (has_zero_edge(piece)) {
    for (const Neighbour& one : ExactSolver(piece).within(source, limit)) distance[one.vertex] = one.distance;
    return;
  }
  double scale = 1;
  const Points points = unit_points(piece.points, scale);
  const HalfEdges edges(points, piece.triangles);
  WindowPropagation windows(edges);
  windows.run(source, limit / scale);
  for (const Index v : windows.reached())
    distance[v] = scale * std::max(windows.distance(v), (points.row(v) - points.row(source)).norm());
}

}  // namespace geodome::internal
