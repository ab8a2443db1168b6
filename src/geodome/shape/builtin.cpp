#include "geodome/shape/builtin.h"

#include <array>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/split_edges.h"

namespace geodome {
namespace {

void require_at_least(const char* shape, const char* argument, Index value, Index least) {
  if (value < least) {
    throw InputError(text("a ", shape, " needs ", argument, " of ", least, " or more, not ", value));
  }
}

void require_indexable(const char* shape, double vertices) {
  if (vertices > std::numeric_limits<Index>::max() / 2) {
    throw InputError(
        text("a ", shape, " of ", vertices, " vertices does not fit 32-bit indices; ask for fewer"));
  }
}

/// The two triangles of a quad a b c d (counter-clockwise), cut along a-c or along b-d.
void append_quad(Triangles& triangles, Eigen::Index& row, std::array<Index, 4> quad, bool cut_first) {
  const auto [a, b, c, d] = quad;
  if (cut_first) {
    triangles.row(row++) << a, b, c;
    triangles.row(row++) << a, c, d;
  } else {
    triangles.row(row++) << a, b, d;
    triangles.row(row++) << b, c, d;
  }
}

/// Triangles of a columns × rows grid of vertices with alternating diagonals, glued to itself where asked.
Triangles grid_triangles(Index columns, Index rows, bool glue_columns, bool glue_rows) {
  const Index across = glue_columns ? columns : columns - 1;
  const Index up = glue_rows ? rows : rows - 1;
  Triangles triangles(2 * Eigen::Index{across} * up, 3);
  Eigen::Index row = 0;
  for (Index r = 0; r < up; ++r) {
    for (Index c = 0; c < across; ++c) {
      const Index c1 = (c + 1) % columns, r1 = (r + 1) % rows;
      append_quad(triangles, row, {r * columns + c, r * columns + c1, r1 * columns + c1, r1 * columns + c},
                  (c + r) % 2 == 0);
    }
  }
  return triangles;
}

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

/// The surface of a lattice cube: its points in [-½, ½]³, and its faces as outward quads.
struct LatticeCube {
  Points points;
  std::vector<std::array<Index, 4>> quads;
};

LatticeCube make_lattice_cube(Index segments) {
  require_at_least("box", "segments", segments, 1);
  require_indexable("box", 6.0 * segments * segments + 2);
  LatticeCube cube;
  cube.points.resize(6 * Eigen::Index{segments} * segments + 2, 3);
  std::unordered_map<std::int64_t, Index> known;
  Index next = 0;
  const auto vertex = [&](const std::array<Index, 3>& at) {
    const std::int64_t side = segments + 1;
    const auto [place, is_new] = known.try_emplace((at[2] * side + at[1]) * side + at[0], next);
    if (is_new) {
      for (int axis = 0; axis < 3; ++axis)
        cube.points(next, axis) = static_cast<double>(at[axis]) / segments - 0.5;
      ++next;
    }
    return place->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (Index side : {Index{0}, segments}) {
      // The cyclic order (axis, u, v) is right-handed: reversing it on the low side turns that face outwards.
      const int u = (axis + (side == 0 ? 2 : 1)) % 3, v = (axis + (side == 0 ? 1 : 2)) % 3;
      for (Index j = 0; j < segments; ++j) {
        for (Index i = 0; i < segments; ++i) {
          std::array<Index, 4> quad{};
          for (int corner = 0; corner < 4; ++corner) {
            std::array<Index, 3> at{};
            at[axis] = side;
            at[u] = i + (corner == 1 || corner == 2);
            at[v] = j + (corner >= 2);
            quad[corner] = vertex(at);
          }
          cube.quads.push_back(quad);
        }
      }
    }
  }
  return cube;
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
  require_at_least("sphere", "a frequency", frequency, 1);
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
        text("a torus needs 0 < minor radius < major radius, not ", minor_radius, " and ", major_radius));
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
    throw InputError(text("a cylinder needs a radius and height above 0, not ", radius, " and ", height));
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
