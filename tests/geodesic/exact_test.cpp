#include "geodome/geodesic/exact.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin.h"

namespace geodome {
namespace {

RowMatrix<double> all_distances(const TriangleMesh& mesh) {
  const ExactSolver solver(mesh);
  std::vector<Index> sources(solver.size());
  for (Index v = 0; v < solver.size(); ++v) sources[v] = v;
  RowMatrix<double> rows(solver.size(), solver.size());
  solver.distances(sources, rows);
  return rows;
}

TEST(Exact, IsEuclideanOnAPlane) {
  for (const auto& [columns, rows] : {std::pair{2, 2}, std::pair{5, 9}, std::pair{14, 14}}) {
    const TriangleMesh mesh = make_plane(columns, rows);
    const RowMatrix<double> distance = all_distances(mesh);
    for (Index i = 0; i < distance.rows(); ++i)
      for (Index j = 0; j < distance.cols(); ++j) {
        const double chord = (mesh.points.row(i) - mesh.points.row(j)).norm();
        EXPECT_NEAR(distance(i, j), chord, 1e-12 * chord) << i << " to " << j;
      }
  }
}

TEST(Exact, ApproachesGreatCirclesOnASphere) {
  double last = 1;
  for (const Index frequency : {2, 4, 8, 16}) {
    const TriangleMesh mesh = make_sphere(frequency);
    const ExactSolver solver(mesh);
    RowMatrix<double> row(1, solver.size());
    const Index source = solver.size() / 3;
    solver.distances(std::span(&source, 1), row);
    double worst = 0;
    for (Index v = 0; v < solver.size(); ++v) {
      const double circle = std::acos(std::clamp(mesh.points.row(source).dot(mesh.points.row(v)), -1.0, 1.0));
      EXPECT_LE(row(0, v), circle * (1 + 1e-7));
      worst = std::max(worst, std::abs(row(0, v) - circle));
    }
    EXPECT_LT(worst, 0.4 * last);
    last = worst;
  }
}

}  // namespace
}  // namespace geodome
