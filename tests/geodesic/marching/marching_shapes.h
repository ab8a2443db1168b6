#pragma once
/// Small awkward meshes for the tests of the surface solvers.

#include <cmath>
#include <numbers>
#include <random>

#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/shape.h"

namespace geodome::test {

/// A strip of `around` by `across` vertices with one half twist: a boundary, and no orientation.
inline TriangleMesh moebius_strip(Index around, Index across, double width = 0.4) {
  TriangleMesh mesh;
  mesh.points.resize(around * across, 3);
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j < across; ++j) {
      const double t = 2 * std::numbers::pi * i / around,
                   s = width * (static_cast<double>(j) / (across - 1) - 0.5);
      const double r = 1 + s * std::cos(t / 2);
      mesh.points.row(i * across + j) << r * std::cos(t), r * std::sin(t), s * std::sin(t / 2);
    }
  mesh.triangles.resize(2 * around * (across - 1), 3);
  Index f = 0;
  for (Index i = 0; i < around; ++i)
    for (Index j = 0; j + 1 < across; ++j) {
      const bool seam = i + 1 == around;
      const auto next = [&](Index k) { return seam ? across - 1 - k : (i + 1) * across + k; };
      const Index a = i * across + j, b = i * across + j + 1, c = next(j), d = next(j + 1);
      mesh.triangles.row(f++) << a, b, c;
      mesh.triangles.row(f++) << b, d, c;
    }
  return mesh;
}

/// `wings` half planes of `cells` by `cells` unit squares that share one edge line: non-manifold for three
/// and more. Vertex (wing, i, j), i >= 1 cells from the shared line and j along it, is 1 + cells + (wing *
/// cells + i - 1) * (cells + 1) + j; those on the line are 0 .. cells.
inline TriangleMesh fan_of_wings(Index wings, Index cells) {
  TriangleMesh mesh;
  mesh.points.resize((cells + 1) * (1 + wings * cells), 3);
  mesh.triangles.resize(2 * wings * cells * cells, 3);
  const auto at = [&](Index wing, Index i, Index j) {
    return i == 0 ? j : 1 + cells + (wing * cells + i - 1) * (cells + 1) + j;
  };
  Index f = 0;
  for (Index wing = 0; wing < wings; ++wing) {
    const double angle = 2 * std::numbers::pi * wing / wings;
    for (Index i = 0; i <= cells; ++i)
      for (Index j = 0; j <= cells; ++j) {
        mesh.points.row(at(wing, i, j)) << i * std::cos(angle), i * std::sin(angle), j;
        if (i == cells || j == cells) continue;
        mesh.triangles.row(f++) << at(wing, i, j), at(wing, i + 1, j), at(wing, i, j + 1);
        mesh.triangles.row(f++) << at(wing, i + 1, j), at(wing, i + 1, j + 1), at(wing, i, j + 1);
      }
  }
  return mesh;
}

/// Both meshes in one; they do not touch.
inline TriangleMesh side_by_side(const TriangleMesh& first, const TriangleMesh& second) {
  TriangleMesh mesh;
  const Index shift = static_cast<Index>(first.points.rows());
  mesh.points.resize(shift + second.points.rows(), 3);
  mesh.points << first.points, second.points;
  mesh.triangles.resize(first.triangles.rows() + second.triangles.rows(), 3);
  mesh.triangles << first.triangles, (second.triangles.array() + shift).matrix();
  return mesh;
}

/// The unit square with its inner vertices moved at random: irregular, many obtuse corners, still flat.
inline TriangleMesh shaken_plane(Index columns, Index rows, unsigned seed, double amount = 0.35) {
  TriangleMesh mesh = make_plane(columns, rows);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> move(-amount, amount);
  for (Index r = 1; r + 1 < rows; ++r)
    for (Index c = 1; c + 1 < columns; ++c) {
      mesh.points(r * columns + c, 0) += move(random) / (columns - 1);
      mesh.points(r * columns + c, 1) += move(random) / (rows - 1);
    }
  return mesh;
}

/// A fan of `around` triangles from one vertex, as high as it is wide: more neighbours than a fan or a star
/// of the stencil holds.
inline TriangleMesh cone(Index around) {
  TriangleMesh mesh;
  mesh.points.resize(around + 1, 3);
  mesh.triangles.resize(around, 3);
  mesh.points.row(around) << 0, 0, 1;
  for (Index i = 0; i < around; ++i) {
    const double angle = 2 * std::numbers::pi * i / around;
    mesh.points.row(i) << std::cos(angle), std::sin(angle), 0;
    mesh.triangles.row(i) << i, (i + 1) % around, around;
  }
  return mesh;
}

/// A triangle mesh with zero-area faces: the corners of a strip, with extra vertices on its edges and faces
/// that join three points of one line.
inline TriangleMesh strip_with_flat_faces() {
  TriangleMesh mesh;
  mesh.points.resize(7, 3);
  mesh.points << 0, 0, 0, 2, 0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 0, 4, 0, 0, 4, 1, 0;
  mesh.triangles.resize(6, 3);
  // 4 halves the edge from 2 to 3; face (2, 3, 4) has no area and joins both sides.
  mesh.triangles << 0, 1, 2, 1, 3, 2, 2, 3, 4, 1, 5, 3, 5, 6, 3, 2, 4, 0;
  return mesh;
}

}  // namespace geodome::test
