#pragma once
/// Hand-made shapes, small enough to count everything about them by hand.

#include <array>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::testing {

inline Points make_points(const std::vector<std::array<double, 3>>& rows) {
  Points points(static_cast<Eigen::Index>(rows.size()), 3);
  for (std::size_t v = 0; v < rows.size(); ++v)
    for (int k = 0; k < 3; ++k) points(static_cast<Eigen::Index>(v), k) = rows[v][k];
  return points;
}

inline TriangleMesh make_mesh(const std::vector<std::array<double, 3>>& rows,
                              const std::vector<std::array<Index, 3>>& faces) {
  TriangleMesh mesh{make_points(rows), Triangles(static_cast<Eigen::Index>(faces.size()), 3)};
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k) mesh.triangles(static_cast<Eigen::Index>(f), k) = faces[f][k];
  return mesh;
}

inline PolygonMesh make_polygons(const std::vector<std::array<double, 3>>& rows,
                                 const std::vector<std::vector<Index>>& faces) {
  PolygonMesh mesh;
  mesh.points = make_points(rows);
  for (const auto& face : faces) {
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
  return mesh;
}

/// The same faces as polygons of three corners.
inline PolygonMesh as_polygons(const TriangleMesh& mesh) {
  PolygonMesh polygons;
  polygons.points = mesh.points;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    for (int k = 0; k < 3; ++k) polygons.corners.push_back(mesh.triangles(f, k));
    polygons.offsets.push_back(static_cast<std::int64_t>(polygons.corners.size()));
  }
  return polygons;
}

inline TriangleMesh tetrahedron() {
  return make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                   {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}});
}

/// Three triangles around the edge 0-1.
inline TriangleMesh fan_of_three() {
  return make_mesh({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {-1, 1, 0}, {-1, -1, 0}},
                   {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}});
}

/// Two tetrahedra that share vertex 0.
inline TriangleMesh hourglass() {
  return make_mesh({{0, 0, 0}, {1, 0, 1}, {0, 1, 1}, {-1, -1, 1}, {1, 0, -1}, {0, 1, -1}, {-1, -1, -1}},
                   {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}, {0, 5, 4}, {0, 6, 5}, {0, 4, 6}, {4, 5, 6}});
}

/// The Moebius strip of five triangles on five vertices.
inline TriangleMesh moebius_strip() {
  return make_mesh({{2, 0, 0}, {0, 2, 0.5}, {-2, 1, 0}, {-1, -2, 0.3}, {1, -2, -0.4}},
                   {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}});
}

inline PolygonMesh cube() {
  return make_polygons(
      {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
      {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});
}

}  // namespace geodome::testing
