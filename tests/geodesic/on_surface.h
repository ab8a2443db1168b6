#pragma once
/// Shapes for the tests of paths, and whether a polyline is on them.

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "geodesic/exact/exact_shapes.h"
#include "geodome/geodesic/surface.h"
#include "geodome/shape/surface_point.h"

namespace geodome::testing {

using Corners = std::vector<Index>;

inline Corners corners_of(const SurfacePoint& point) {
  Corners corners;
  for (int k = 0; k < 3; ++k)
    if (point.weight[k] > 0) corners.push_back(point.vertex[k]);
  return corners;
}

/// Vertices joined by an edge of length zero count as one.
class Faces {
 public:
  explicit Faces(const TriangleMesh& mesh) {
    const internal::Surface surface = internal::prepare_surface(mesh);
    place_ = surface.of_input;
    for (Index f = 0; f < mesh.triangles.rows(); ++f) {
      const std::set<Index> face{place_[mesh.triangles(f, 0)], place_[mesh.triangles(f, 1)],
                                 place_[mesh.triangles(f, 2)]};
      for (const Index v : face) at_[v].push_back(face);
    }
  }

  /// Whether one face holds both points: the segment between them is on the surface.
  bool hold(const SurfacePoint& a, const SurfacePoint& b) const {
    std::set<Index> corners;
    for (const SurfacePoint& point : {a, b})
      for (const Index v : corners_of(point)) corners.insert(place_[v]);
    for (const std::set<Index>& face : at_.at(*corners.begin()))
      if (std::includes(face.begin(), face.end(), corners.begin(), corners.end())) return true;
    return false;
  }

 private:
  std::vector<Index> place_;
  std::map<Index, std::vector<std::set<Index>>> at_;
};

inline std::vector<SurfacePoint> all_vertices(const TriangleMesh& mesh) {
  std::vector<SurfacePoint> points;
  for (Index v = 0; v < mesh.points.rows(); ++v) points.emplace_back(v);
  return points;
}

inline std::vector<TriangleMesh> good_shapes() {
  return {make_plane(7, 5),
          make_sphere(4),
          roughened(make_sphere(6), 0.15, 0.02),
          roughened(make_plane(14, 14), 0.1, 0.015),
          roughened(make_cylinder(20, 12), 0.2, 0.03),
          roughened(make_torus(30, 14), 0.15, 0.03),
          split_at_midpoints(roughened(make_sphere(3), 0.2, 0.05)),
          joined(roughened(make_sphere(4), 0.2, 0.05), make_plane(4, 4)),
          make_book(3, 5, 6).mesh,
          make_book(5, 3, 4).mesh};
}

}  // namespace geodome::testing
