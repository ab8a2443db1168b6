#pragma once
/// Matrices for the tests of maps: all distances stored, and P W Pᵀ.

#include <memory>
#include <vector>

#include "geodome/geodome.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/creature.h"

namespace geodome::testing {

/// Exact distances of a shape, symmetric to the last bit.
inline internal::FullMatrix all_distances_of(const Shape& shape) {
  const auto solver = make_solver(shape);
  RowMatrix<double> rows(solver->size(), solver->size());
  std::vector<Index> all;
  for (Index v = 0; v < solver->size(); ++v) all.push_back(v);
  solver->distances(all, rows);
  rows = ((rows + rows.transpose()) / 2).eval();
  return {rows, DistanceKind::distance};
}

inline TriangleMesh side_by_side(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh mesh;
  mesh.points.resize(a.points.rows() + b.points.rows(), 3);
  mesh.points << a.points, (b.points.array() + 5).matrix();
  mesh.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  mesh.triangles << a.triangles, (b.triangles.array() + static_cast<Index>(a.points.rows())).matrix();
  return mesh;
}

}  // namespace geodome::testing
