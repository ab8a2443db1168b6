#pragma once
/// Small random meshes of every bad kind: collinear and coincident corners, slivers, needles, non-manifold
/// edges, features far smaller than the shape.

#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "geodesic/exact/exact_shapes.h"

namespace geodome::testing {

/// Random numbers for one shape.
class Dice {
 public:
  explicit Dice(unsigned seed) : generator_(seed) {}

  int below(int limit) { return static_cast<int>(generator_() % static_cast<unsigned>(limit)); }
  double in_unit() { return static_cast<double>(generator_()) / 4294967296.0; }
  double symmetric() { return 2 * in_unit() - 1; }
  Eigen::RowVector3d in_cube() {
    const double x = symmetric(), y = symmetric(), z = symmetric();
    return {x, y, z};
  }

 private:
  std::mt19937 generator_;
};

using Positions = std::vector<Eigen::RowVector3d>;

/// `columns` by `rows` vertices, every square split along either diagonal.
inline std::vector<Face> grid_faces(int columns, int rows, Dice& dice) {
  std::vector<Face> faces;
  for (int r = 0; r + 1 < rows; ++r)
    for (int c = 0; c + 1 < columns; ++c) {
      const Index a = r * columns + c, b = a + 1, d = a + columns, e = d + 1;
      if (dice.below(2))
        faces.insert(faces.end(), {{a, b, e}, {a, e, d}});
      else
        faces.insert(faces.end(), {{a, b, d}, {b, e, d}});
    }
  return faces;
}

/// Triangles between random vertices.
inline std::vector<Face> soup_faces(int vertices, int count, Dice& dice) {
  std::vector<Face> faces;
  while (static_cast<int>(faces.size()) < count) {
    const Index a = dice.below(vertices), b = dice.below(vertices), c = dice.below(vertices);
    if (a != b && b != c && c != a) faces.push_back({a, b, c});
  }
  return faces;
}

/// A grid whose vertices are placed at random by `place`, which gets their column and row.
inline TriangleMesh random_grid(Dice& dice, const std::function<Eigen::RowVector3d(int, int)>& place) {
  const int columns = 2 + dice.below(3), rows = 3 + dice.below(3);
  Positions points;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) points.push_back(place(c, r));
  return make_mesh(points, grid_faces(columns, rows, dice));
}

inline TriangleMesh random_soup(Dice& dice, const std::function<Eigen::RowVector3d()>& place) {
  const int vertices = 5 + dice.below(6);
  Positions points;
  for (int v = 0; v < vertices; ++v) points.push_back(place());
  return make_mesh(points, soup_faces(vertices, vertices + dice.below(6), dice));
}

/// All vertices within `width` of a line.
inline TriangleMesh thin_grid(Dice& dice, double width) {
  return random_grid(dice, [&](int, int) {
    const double x = 4 * dice.in_unit(), y = width * dice.symmetric(), z = width * dice.symmetric();
    return Eigen::RowVector3d(x, y, z);
  });
}

/// A sphere of 20 triangles pressed flat along one axis or two.
inline TriangleMesh squashed_sphere(Dice& dice, double width) {
  TriangleMesh mesh = make_sphere(1);
  const int axis = dice.below(3);
  const bool twice = dice.below(2);
  for (Index v = 0; v < mesh.points.rows(); ++v) {
    mesh.points.row(v) += 0.2 * dice.in_cube();
    mesh.points(v, axis) *= width;
    if (twice) mesh.points(v, (axis + 1) % 3) *= width;
  }
  return mesh;
}

/// A needle that stands on a disc: its tip is a cone of angle `width` or so.
inline TriangleMesh spike(Dice& dice, double width) {
  const Index sides = 3 + dice.below(4);
  Positions points{{0, 0, 1 + dice.in_unit()}};
  for (const double radius : {width, 1.0})
    for (Index s = 0; s < sides; ++s) {
      const double turn = 2 * M_PI * (s + 0.3 * dice.in_unit()) / sides;
      points.emplace_back(radius * std::cos(turn), radius * std::sin(turn), 0.2 * radius * dice.symmetric());
    }
  std::vector<Face> faces;
  for (Index s = 0; s < sides; ++s) {
    const Index a = 1 + s, b = 1 + (s + 1) % sides, c = a + sides, d = b + sides;
    faces.insert(faces.end(), {{0, a, b}, {a, c, b}, {b, c, d}});
  }
  return make_mesh(points, faces);
}

/// A family of random meshes: `width` is the size of what is small in them, as a part of the whole.
struct Family {
  std::string name;
  std::function<TriangleMesh(Dice&, double width)> make;
};

inline std::vector<Family> bad_families() {
  const auto lattice = [](Dice& dice, double width) {
    return random_grid(dice, [&](int c, int r) {
      const double x = c + dice.below(2) + width * dice.in_unit(), y = r - (dice.below(3) == 0);
      return Eigen::RowVector3d(x, y + width * dice.in_unit(), 0);
    });
  };
  const auto integers = [](Dice& dice, double) {
    return random_soup(dice, [&] {
      const double x = dice.below(4), y = dice.below(4), z = dice.below(2);
      return Eigen::RowVector3d(x, y, z);
    });
  };
  const auto collinear = [](Dice& dice, double) {
    return random_grid(dice, [&](int, int) { return Eigen::RowVector3d(dice.below(9), 0, 0); });
  };
  const auto clusters = [](Dice& dice, double width) {
    const std::array<Eigen::RowVector3d, 3> centres{dice.in_cube(), dice.in_cube(), dice.in_cube()};
    return random_soup(dice, [&] {
      const Eigen::RowVector3d centre = centres[static_cast<std::size_t>(dice.below(3))];
      return Eigen::RowVector3d(centre + width * dice.in_cube());
    });
  };
  const auto mixed_scales = [](Dice& dice, double width) {
    return random_grid(dice, [&](int, int) {
      const double size = std::pow(width, dice.in_unit());
      return Eigen::RowVector3d(size * dice.in_cube());
    });
  };
  const auto thin_soup = [](Dice& dice, double width) {
    return random_soup(dice, [&] {
      const double x = 4 * dice.in_unit(), y = width * dice.symmetric();
      return Eigen::RowVector3d(x, y, width * dice.symmetric());
    });
  };
  return {{"lattice", lattice},           {"integer soup", integers},           {"collinear grid", collinear},
          {"soup of clusters", clusters}, {"mixed scales", mixed_scales},       {"thin soup", thin_soup},
          {"thin grid", thin_grid},       {"squashed sphere", squashed_sphere}, {"spike", spike}};
}

/// A width between 1e-1 and 1e-12.
inline double random_width(Dice& dice) {
  return std::pow(10, -1 - 11 * dice.in_unit());
}

}  // namespace geodome::testing
