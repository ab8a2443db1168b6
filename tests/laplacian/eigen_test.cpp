#include "geodome/laplacian/eigen.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

void expect_eigenpairs(const Laplacian& operators, const Eigenpairs& pairs) {
  const Eigen::Index count = pairs.values.size();
  const Eigen::MatrixXd product = pairs.vectors.transpose() * operators.mass.asDiagonal() * pairs.vectors;
  EXPECT_LE((product - Eigen::MatrixXd::Identity(count, count)).cwiseAbs().maxCoeff(), 1e-8);
  const double largest = pairs.values[count - 1];
  for (Eigen::Index k = 0; k < count; ++k) {
    if (k > 0) {
      EXPECT_LE(pairs.values[k - 1], pairs.values[k]);
    }
    const Vector weighted = operators.mass.cwiseProduct(pairs.vectors.col(k));
    EXPECT_LE((operators.stiffness * pairs.vectors.col(k) - pairs.values[k] * weighted).norm(),
              1e-6 * largest * weighted.norm());
  }
}

TEST(LowEigenpairs, OfTheUnitSphereTendToTheIntegersTheyShould) {
  const Vector exact = (Vector(16) << 0, 2, 2, 2, 6, 6, 6, 6, 6, 12, 12, 12, 12, 12, 12, 12).finished();
  double last = 1;
  for (const Index frequency : {4, 8, 16}) {  // the first is solved densely, the last by iteration
    const Laplacian operators = laplacian(make_sphere(frequency));
    const Eigenpairs pairs = low_eigenpairs(operators, 16);
    expect_eigenpairs(operators, pairs);
    EXPECT_NEAR(pairs.values[0], 0, 1e-8);
    const double error = ((pairs.values - exact).tail(15).array() / exact.tail(15).array()).abs().maxCoeff();
    EXPECT_LT(error, last / 3);
    last = error;
  }
  EXPECT_LT(last, 0.02);
}

TEST(LowEigenpairs, OfAPathAreCosines) {
  Graph path;
  path.vertices = 400;
  for (Index v = 0; v + 1 < path.vertices; ++v) path.edges.push_back({v, v + 1, 1});
  const Laplacian operators = laplacian(path);
  const Eigenpairs pairs = low_eigenpairs(operators, 10);
  expect_eigenpairs(operators, pairs);
  for (Index k = 0; k < 10; ++k)
    EXPECT_NEAR(pairs.values[k], 2 - 2 * std::cos(std::numbers::pi * k / path.vertices), 1e-10);
}

TEST(LowEigenpairs, HaveOneZeroPerComponentAndSkipUnreferencedVertices) {
  const TriangleMesh one = make_torus(24, 12);
  const Index count = static_cast<Index>(one.points.rows());
  TriangleMesh three;
  three.points = Points::Zero(3 * count + 2, 3);
  three.triangles.resize(3 * one.triangles.rows(), 3);
  for (Index copy = 0; copy < 3; ++copy) {
    three.points.middleRows(copy * count, count) = one.points;
    three.triangles.middleRows(copy * one.triangles.rows(), one.triangles.rows()) =
        (one.triangles.array() + copy * count).matrix();
  }
  const Laplacian operators = laplacian(three);
  const Eigenpairs pairs = low_eigenpairs(operators, 9);
  expect_eigenpairs(operators, pairs);
  const Eigenpairs single = low_eigenpairs(laplacian(one), 3);
  for (Index k = 0; k < 9; ++k) EXPECT_NEAR(pairs.values[k], single.values[k / 3], 1e-7);
  EXPECT_EQ(pairs.vectors.bottomRows(2).norm(), 0);
}

TEST(LowEigenpairs, ScaleWithTheInverseSquareOfLength) {
  TriangleMesh mesh = make_cylinder(24, 12);
  const Vector values = low_eigenpairs(laplacian(mesh), 6).values;
  const Points points = mesh.points;
  for (const double scale : {1e-8, 1e8}) {
    mesh.points = scale * points;
    const Vector scaled = low_eigenpairs(laplacian(mesh), 6).values * scale * scale;
    EXPECT_LE((scaled - values).cwiseAbs().maxCoeff(), 1e-8 * values[5]);
  }
}

TEST(LowEigenpairs, RefuseImpossibleCounts) {
  const Laplacian operators = laplacian(make_sphere(1));
  EXPECT_EQ(low_eigenpairs(operators, 12).values.size(), 12);
  EXPECT_THROW(low_eigenpairs(operators, 0), InputError);
  EXPECT_THROW(low_eigenpairs(operators, 13), InputError);
}

TEST(LowEigenpairs, CanBeCancelledBetweenTwoSolves) {
  const Laplacian operators = laplacian(make_sphere(8));
  int reports = 0;
  const Execution execution{1, [&](std::string_view, double fraction) {
                              EXPECT_GE(fraction, 0);
                              EXPECT_LT(fraction, 1);
                              return ++reports < 5;
                            }};
  EXPECT_THROW(low_eigenpairs(operators, 9, execution), Cancelled);
  EXPECT_EQ(reports, 5);
}

}  // namespace
}  // namespace geodome::internal
