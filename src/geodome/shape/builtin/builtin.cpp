#include "geodome/shape/builtin/builtin.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin_grid.h"
#include "geodome/shape/resample/split_edges.h"

namespace geodome {

using namespace internal;

namespace {

/// The regular icosahedron with unit circumradius, faces counter-clockwise from outside.
TriangleMesh make_icosahedron() {
  const double g = std::numbers::phi;
  TriangleMesh mesh;
  mesh.points.resize(12, 3);
  mesh.points << -1, g, 0, 1, g, 0, -1, -g, 0, 1, -g, 0,  //
      0, -1, g, 0, 1, g, 0, -1, -g, 0, 1, -g,             //
      g, 0, -1, g, 0, 1, -g, 0, -1, -g, 0, 1;
  mesh.points.rowwise().normalize();
  mesh.triangles.resize(20, 3);
  mesh.triangles << 0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11,  //
      1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,                //
      3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9,                    //
      4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1;
  return mesh;
}

}  // namespace

TriangleMesh make_plane(Index columns, Index rows) {
  require_at_least("plane", "columns", columns, 2);
  require_at_least("plane", "rows", rows, 2);
  require_indexable("plane", static_cast<double>(columns) * rows);
  TriangleMesh mesh;
  mesh.points.resize(Eigen::Index{columns} * rows, 3);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      mesh.points.row(r * columns + c) << static_cast<double>(c) / (columns - 1),
          static_cast<double>(r) / (rows - 1), 0;
    }
  }
  mesh.triangles = grid_triangles(columns, rows, false, false);
  return mesh;
}

TriangleMesh make_sphere(Index frequency) {
  require_at_least("sphere", "subdivisions of an edge", frequency, 1);
  require_indexable("sphere", 10.0 * frequency * frequency + 2);
  TriangleMesh mesh = split_edges(make_icosahedron(), frequency);
  mesh.points.rowwise().normalize();
  return mesh;
}

TriangleMesh make_torus(Index major, Index minor, double major_radius, double minor_radius) {
  require_at_least("torus", "major vertices", major, 3);
  require_at_least("torus", "minor vertices", minor, 3);
  require_indexable("torus", static_cast<double>(major) * minor);
  if (!(minor_radius > 0 && minor_radius < major_radius)) {
    throw InputError(
        text("a torus requires 0 < minor radius < major radius, got ", minor_radius, " and ", major_radius));
  }
  TriangleMesh mesh;
  mesh.points.resize(Eigen::Index{major} * minor, 3);
  for (Index r = 0; r < minor; ++r) {
    const double tube = 2 * std::numbers::pi * r / minor;
    for (Index c = 0; c < major; ++c) {
      const double turn = 2 * std::numbers::pi * c / major;
      const double from_axis = major_radius + minor_radius * std::cos(tube);
      mesh.points.row(r * major + c) << from_axis * std::cos(turn), from_axis * std::sin(turn),
          minor_radius * std::sin(tube);
    }
  }
  mesh.triangles = grid_triangles(major, minor, true, true);
  return mesh;
}

TriangleMesh make_cylinder(Index around, Index along, double radius, double height) {
  require_at_least("cylinder", "vertices around", around, 3);
  require_at_least("cylinder", "vertices along", along, 2);
  require_indexable("cylinder", static_cast<double>(around) * along);
  if (!(radius > 0 && height > 0)) {
    throw InputError(
        text("a cylinder requires a radius and a height above 0, got ", radius, " and ", height));
  }
  TriangleMesh mesh;
  mesh.points.resize(Eigen::Index{around} * along, 3);
  for (Index r = 0; r < along; ++r) {
    for (Index c = 0; c < around; ++c) {
      const double turn = 2 * std::numbers::pi * c / around;
      mesh.points.row(r * around + c) << radius * std::cos(turn), radius * std::sin(turn),
          height * (static_cast<double>(r) / (along - 1) - 0.5);
    }
  }
  mesh.triangles = grid_triangles(around, along, true, false);
  return mesh;
}

TriangleMesh make_box(Index segments) {
  LatticeCube cube = make_lattice_cube(segments);
  TriangleMesh mesh;
  mesh.points = std::move(cube.points);
  mesh.triangles.resize(2 * static_cast<Eigen::Index>(cube.quads.size()), 3);
  Eigen::Index row = 0;
  for (std::size_t q = 0; q < cube.quads.size(); ++q) {
    const auto place = static_cast<Index>(q % (static_cast<std::size_t>(segments) * segments));
    append_quad(mesh.triangles, row, cube.quads[q], (place % segments + place / segments) % 2 == 0);
  }
  return mesh;
}

}  // namespace geodome
