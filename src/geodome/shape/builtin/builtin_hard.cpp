#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/builtin_grid.h"

namespace geodome {

using namespace internal;

namespace {

PolygonMesh quads(Points points, const std::vector<std::array<Index, 4>>& faces) {
  PolygonMesh mesh;
  mesh.points = std::move(points);
  for (const auto& face : faces) {
    mesh.corners.insert(mesh.corners.end(), face.begin(), face.end());
    mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
  }
  return mesh;
}

}  // namespace

TriangleMesh make_jittered_sphere(Index frequency, std::uint64_t seed) {
  TriangleMesh mesh = make_sphere(frequency);
  Vector shortest = Vector::Constant(mesh.points.rows(), infinity);
  for (Eigen::Index c = 0; c < mesh.triangles.size(); ++c) {
    const Index a = mesh.triangles(c / 3, c % 3), b = mesh.triangles(c / 3, (c + 1) % 3);
    const double length = (mesh.points.row(a) - mesh.points.row(b)).norm();
    shortest[a] = std::min(shortest[a], length);
    shortest[b] = std::min(shortest[b], length);
  }
  std::mt19937_64 generator(seed);
  for (Eigen::Index v = 0; v < mesh.points.rows(); ++v) {
    const Eigen::Vector3d normal = mesh.points.row(v).transpose(), u = normal.unitOrthogonal();
    const double angle = 2 * std::numbers::pi * random_unit(generator);
    const double distance = shortest[v] / 3 * std::sqrt(random_unit(generator));
    const Eigen::Vector3d moved =
        normal + distance * (std::cos(angle) * u + std::sin(angle) * normal.cross(u));
    mesh.points.row(v) = moved.normalized().transpose();
  }
  return mesh;
}

TriangleMesh make_drilled_plate(Index across, Index along, Index around) {
  if (across < 1 || along < 1 || around < 4 || around % 4 != 0)
    throw InputError(
        text("a drilled plate needs at least 1 by 1 holes with a multiple of 4 vertices each, got ", across,
             " by ", along, " with ", around));
  constexpr double radius = 0.3, thickness = 0.2;
  const double wanted = 2 * (static_cast<double>(across) * along * around + (across + 1.0) * (along + 1.0));
  require_indexable("drilled plate", wanted);
  const Index corners = (across + 1) * (along + 1), side = corners + across * along * around;
  const auto corner = [&](Index c, Index r) { return r * (across + 1) + c; };
  const auto rim = [&](Index c, Index r, Index k) {
    return corners + (r * across + c) * around + k % around;
  };
  TriangleMesh mesh;
  mesh.points.resize(2 * side, 3);
  for (Index r = 0; r <= along; ++r)
    for (Index c = 0; c <= across; ++c)
      mesh.points.row(corner(c, r)) << c - 0.5 * across, r - 0.5 * along, thickness / 2;
  for (Index r = 0; r < along; ++r)
    for (Index c = 0; c < across; ++c)
      for (Index k = 0; k < around; ++k) {
        const double angle = 2 * std::numbers::pi * k / around;
        mesh.points.row(rim(c, r, k)) << c + 0.5 - 0.5 * across + radius * std::cos(angle),
            r + 0.5 - 0.5 * along + radius * std::sin(angle), thickness / 2;
      }
  mesh.points.bottomRows(side) = mesh.points.topRows(side);
  mesh.points.bottomRows(side).col(2).array() -= thickness;
  std::vector<std::array<Index, 3>> faces;
  // The upper side, and the lower one with its orientation reversed.
  const auto add = [&](Index a, Index b, Index c) {
    faces.push_back({a, b, c});
    faces.push_back({side + a, side + c, side + b});
  };
  // From an edge of the upper side to the same edge of the lower one.
  const auto add_wall = [&](Index a, Index b) {
    faces.push_back({b, a, side + a});
    faces.push_back({b, side + a, side + b});
  };
  for (Index r = 0; r < along; ++r)
    for (Index c = 0; c < across; ++c) {
      // The corner of each quarter; quarter q goes from the angle q 90° to (q + 1) 90°.
      const std::array<Index, 4> at{corner(c + 1, r + 1), corner(c, r + 1), corner(c, r), corner(c + 1, r)};
      for (Index q = 0; q < 4; ++q) {
        for (Index k = q * around / 4; k < (q + 1) * around / 4; ++k)
          add(at[static_cast<std::size_t>(q)], rim(c, r, k + 1), rim(c, r, k));
        add(at[static_cast<std::size_t>(q)], at[static_cast<std::size_t>((q + 1) % 4)],
            rim(c, r, (q + 1) * around / 4));
      }
      for (Index k = 0; k < around; ++k) add_wall(rim(c, r, k + 1), rim(c, r, k));
    }
  for (Index c = 0; c < across; ++c) {
    add_wall(corner(c, 0), corner(c + 1, 0));
    add_wall(corner(c + 1, along), corner(c, along));
  }
  for (Index r = 0; r < along; ++r) {
    add_wall(corner(across, r), corner(across, r + 1));
    add_wall(corner(0, r + 1), corner(0, r));
  }
  mesh.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f)
    mesh.triangles.row(static_cast<Eigen::Index>(f)) << faces[f][0], faces[f][1], faces[f][2];
  return mesh;
}

TriangleMesh make_two_spheres(Index frequency) {
  const TriangleMesh sphere = make_sphere(frequency);
  const Eigen::Index n = sphere.points.rows();
  require_indexable("pair of spheres", 2.0 * static_cast<double>(n));
  TriangleMesh both;
  both.points.resize(2 * n, 3);
  both.points << sphere.points.rowwise() - Eigen::RowVector3d(1.5, 0, 0),
      sphere.points.rowwise() + Eigen::RowVector3d(1.5, 0, 0);
  both.triangles.resize(2 * sphere.triangles.rows(), 3);
  both.triangles << sphere.triangles, sphere.triangles.array() + static_cast<Index>(n);
  return both;
}

TriangleMesh make_moebius(Index around, Index across) {
  require_at_least("moebius strip", "vertices around", around, 3);
  require_at_least("moebius strip", "vertices across", across, 2);
  require_indexable("moebius strip", static_cast<double>(around) * across);
  TriangleMesh mesh;
  mesh.points.resize(Eigen::Index{around} * across, 3);
  mesh.triangles.resize(2 * Eigen::Index{around} * (across - 1), 3);
  Eigen::Index row = 0;
  for (Index c = 0; c < around; ++c) {
    const double turn = 2 * std::numbers::pi * c / around;
    const bool seam = c + 1 == around;
    // Behind the seam the strip arrives upside down.
    const auto next = [&](Index r) { return seam ? (across - 1 - r) * around : r * around + c + 1; };
    for (Index r = 0; r < across; ++r) {
      const double offset = static_cast<double>(r) / (across - 1) - 0.5;
      const double from_axis = 1 + offset * std::cos(turn / 2);
      mesh.points.row(r * around + c) << from_axis * std::cos(turn), from_axis * std::sin(turn),
          offset * std::sin(turn / 2);
      if (r + 1 < across) {
        append_quad(mesh.triangles, row, {r * around + c, next(r), next(r + 1), (r + 1) * around + c},
                    (c + r) % 2 == 0);
      }
    }
  }
  return mesh;
}

TriangleMesh make_fan(Index across, Index along) {
  require_at_least("fan", "vertices across", across, 2);
  require_at_least("fan", "vertices along", along, 2);
  require_indexable("fan", 3.0 * across * along);
  // The shared edge comes first, then each square's other vertices.
  const Index page = (across - 1) * along;
  TriangleMesh mesh;
  mesh.points.resize(along + 3 * Eigen::Index{page}, 3);
  mesh.triangles.resize(3 * 2 * Eigen::Index{across - 1} * (along - 1), 3);
  for (Index r = 0; r < along; ++r) mesh.points.row(r) << 0, 0, static_cast<double>(r) / (along - 1);
  Eigen::Index row = 0;
  for (Index p = 0; p < 3; ++p) {
    const double angle = 2 * std::numbers::pi * p / 3;
    const auto vertex = [&](Index c, Index r) {
      return c == 0 ? r : along + p * page + r * (across - 1) + c - 1;
    };
    for (Index r = 0; r < along; ++r) {
      for (Index c = 0; c < across; ++c) {
        const double out = static_cast<double>(c) / (across - 1);
        if (c > 0) {
          mesh.points.row(vertex(c, r)) << out * std::cos(angle), out * std::sin(angle), mesh.points(r, 2);
        }
        if (c + 1 < across && r + 1 < along) {
          append_quad(mesh.triangles, row,
                      {vertex(c, r), vertex(c + 1, r), vertex(c + 1, r + 1), vertex(c, r + 1)},
                      (c + r) % 2 == 0);
        }
      }
    }
  }
  return mesh;
}

PolygonMesh make_plane_quads(Index columns, Index rows) {
  TriangleMesh plane = make_plane(columns, rows);
  std::vector<std::array<Index, 4>> faces;
  for (Index r = 0; r + 1 < rows; ++r) {
    for (Index c = 0; c + 1 < columns; ++c) {
      const Index corner = r * columns + c;
      faces.push_back({corner, corner + 1, corner + 1 + columns, corner + columns});
    }
  }
  return quads(std::move(plane.points), faces);
}

PolygonMesh make_sphere_quads(Index segments) {
  LatticeCube cube = make_lattice_cube(segments);
  // Equal angles rather than equal lengths on the cube make the quads nearly equal on the sphere.
  cube.points = (cube.points.array() * (std::numbers::pi / 2)).tan();
  cube.points.rowwise().normalize();
  return quads(std::move(cube.points), cube.quads);
}

Graph make_grid_graph(Index columns, Index rows) {
  require_at_least("grid graph", "columns", columns, 1);
  require_at_least("grid graph", "rows", rows, 1);
  require_indexable("grid graph", static_cast<double>(columns) * rows);
  Graph graph;
  graph.vertices = columns * rows;
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < columns; ++c) {
      const Index v = r * columns + c;
      if (c + 1 < columns) graph.edges.push_back({v, v + 1, 1});
      if (r + 1 < rows) graph.edges.push_back({v, v + columns, 1});
    }
  }
  return graph;
}

Graph make_path_graph(Index vertices) {
  return make_grid_graph(vertices, 1);
}

}  // namespace geodome
