#pragma once
/// Shapes with known distances, or awkward ones, for the tests of exact and carried distances.

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <span>
#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::testing {

using Face = std::vector<Index>;

inline TriangleMesh make_mesh(const std::vector<Eigen::RowVector3d>& points, const std::vector<Face>& faces) {
  TriangleMesh mesh;
  mesh.points.resize(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t v = 0; v < points.size(); ++v) mesh.points.row(static_cast<Eigen::Index>(v)) = points[v];
  mesh.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t f = 0; f < faces.size(); ++f)
    for (int k = 0; k < 3; ++k) mesh.triangles(static_cast<Eigen::Index>(f), k) = faces[f][k];
  return mesh;
}

inline double noise(std::mt19937& generator) {
  return static_cast<double>(generator()) / static_cast<double>(std::mt19937::max()) * 2 - 1;
}

/// Waves across any mesh, and every vertex moved by up to `jitter`: saddles, bumps and irregular triangles.
inline TriangleMesh roughened(TriangleMesh mesh, double waves, double jitter, unsigned seed = 1) {
  std::mt19937 generator(seed);
  for (Index v = 0; v < mesh.points.rows(); ++v) {
    Eigen::RowVector3d p = mesh.points.row(v);
    const double wave = std::sin(5 * p[0] + 1) * std::cos(4 * p[1]) + std::sin(6 * p[2] + 3 * p[0]);
    p += waves * wave * (p + Eigen::RowVector3d(0, 0, 1));
    for (int k = 0; k < 3; ++k) p[k] += jitter * noise(generator);
    mesh.points.row(v) = p;
  }
  return mesh;
}

/// Every triangle into four, flat: the old vertices keep their numbers and, exactly, their distances.
inline TriangleMesh split_at_midpoints(const TriangleMesh& mesh) {
  std::vector<Eigen::RowVector3d> points;
  for (Index v = 0; v < mesh.points.rows(); ++v) points.emplace_back(mesh.points.row(v));
  std::map<std::pair<Index, Index>, Index> middle;
  const auto between = [&](Index a, Index b) {
    const auto [place, isnew] = middle.try_emplace(std::minmax(a, b), static_cast<Index>(points.size()));
    if (isnew) points.emplace_back((mesh.points.row(a) + mesh.points.row(b)) / 2);
    return place->second;
  };
  std::vector<Face> faces;
  for (Index f = 0; f < mesh.triangles.rows(); ++f) {
    const Index a = mesh.triangles(f, 0), b = mesh.triangles(f, 1), c = mesh.triangles(f, 2);
    const Index ab = between(a, b), bc = between(b, c), ca = between(c, a);
    faces.insert(faces.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
  }
  return make_mesh(points, faces);
}

/// Two meshes side by side, not connected.
inline TriangleMesh joined(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh mesh;
  mesh.points.resize(a.points.rows() + b.points.rows(), 3);
  mesh.points << a.points, b.points;
  mesh.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  mesh.triangles << a.triangles, (b.triangles.array() + static_cast<Index>(a.points.rows())).matrix();
  return mesh;
}

/// `pages` rectangles of `columns` by `rows` vertices that share their first column, [0, 1] along the spine.
/// The page of a vertex is -1 on the spine; `out` is its distance from the spine and `up` its height.
struct Book {
  TriangleMesh mesh;
  std::vector<int> page;
  std::vector<double> out, up;
};

inline Book make_book(int pages, Index columns, Index rows) {
  Book book;
  std::vector<Eigen::RowVector3d> points;
  std::vector<Face> faces;
  const auto add = [&](int page, double out, double up) {
    const double turn = 2 * M_PI * page / pages;
    points.emplace_back(out * std::cos(turn), out * std::sin(turn), up);
    book.page.push_back(page);
    book.out.push_back(out);
    book.up.push_back(up);
  };
  const auto height = [&](Index r) { return static_cast<double>(r) / (rows - 1); };
  for (Index r = 0; r < rows; ++r) add(-1, 0, height(r));
  for (int page = 0; page < pages; ++page) {
    const Index first = static_cast<Index>(points.size());
    for (Index r = 0; r < rows; ++r)
      for (Index c = 1; c < columns; ++c) add(page, 0.8 * c / (columns - 1), height(r));
    const auto at = [&](Index c, Index r) { return c == 0 ? r : first + r * (columns - 1) + c - 1; };
    for (Index r = 0; r + 1 < rows; ++r)
      for (Index c = 0; c + 1 < columns; ++c)
        faces.insert(faces.end(), {{at(c, r), at(c + 1, r), at(c + 1, r + 1)},
                                   {at(c, r), at(c + 1, r + 1), at(c, r + 1)}});
  }
  book.mesh = make_mesh(points, faces);
  return book;
}

/// A matrix of all distances, row by source.
inline RowMatrix<double> all_distances(const GeodesicSolver& solver) {
  std::vector<Index> sources(solver.size());
  for (Index v = 0; v < solver.size(); ++v) sources[v] = v;
  RowMatrix<double> rows(solver.size(), solver.size());
  solver.distances(sources, rows);
  return rows;
}

/// One row of distances.
inline Vector distances_from(const GeodesicSolver& solver, Index source) {
  RowMatrix<double> row(1, solver.size());
  solver.distances(std::span(&source, 1), row);
  return row.row(0);
}

}  // namespace geodome::testing
