#include "geodome/shape/builtin/builtin.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geodome/base/error.h"
#include "shape/surface_facts.h"

namespace geodome {
namespace {

using testing::surface_facts;

constexpr double pi = std::numbers::pi;

TEST(Plane, IsTheUnitSquareInRowOrder) {
  for (auto [columns, rows] : {std::pair{2, 2}, {3, 5}, {17, 4}}) {
    const TriangleMesh mesh = make_plane(columns, rows);
    ASSERT_EQ(mesh.points.rows(), columns * rows);
    EXPECT_EQ(mesh.triangles.rows(), 2 * (columns - 1) * (rows - 1));
    for (int r = 0; r < rows; ++r) {
      for (int c = 0; c < columns; ++c) {
        const Eigen::RowVector3d expected(double(c) / (columns - 1), double(r) / (rows - 1), 0);
        EXPECT_LT((mesh.points.row(r * columns + c) - expected).norm(), 1e-15);
      }
    }
    const auto facts = surface_facts(mesh);
    EXPECT_NEAR(facts.area, 1, 1e-12);
    EXPECT_EQ(facts.euler, 1);
    EXPECT_EQ(facts.boundary_loops, 1);
    EXPECT_EQ(facts.boundary_edges, 2 * (columns + rows - 2));
    EXPECT_TRUE(facts.consistent);
  }
}

TEST(Sphere, IsClosedRoundAndTurnedOutwards) {
  double last_error = 1;
  for (Index frequency : {1, 2, 3, 8, 16}) {
    const TriangleMesh mesh = make_sphere(frequency);
    ASSERT_EQ(mesh.points.rows(), 10 * frequency * frequency + 2);
    EXPECT_EQ(mesh.triangles.rows(), 20 * frequency * frequency);
    EXPECT_LT((mesh.points.rowwise().norm().array() - 1).abs().maxCoeff(), 1e-14);
    EXPECT_LT(mesh.points.colwise().mean().norm(), 1e-12);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_EQ(facts.components, 1);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_TRUE(facts.consistent);
    const double error = 1 - facts.volume / (4 * pi / 3);
    EXPECT_GT(error, 0);
    EXPECT_LT(error, last_error);
    last_error = error;
    EXPECT_GT(testing::worst_quality(mesh), 0.85);
  }
  EXPECT_LT(last_error, 0.01);
}

TEST(Torus, IsClosedOfGenusOneWithTheAreaOfPappus) {
  for (auto [major, minor] : {std::pair{3, 3}, {5, 4}, {96, 40}}) {
    const TriangleMesh mesh = make_torus(major, minor, 2, 0.5);
    ASSERT_EQ(mesh.points.rows(), major * minor);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(facts.euler, 0);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_EQ(facts.non_manifold_edges, 0);
    EXPECT_TRUE(facts.consistent);
    EXPECT_GT(facts.volume, 0);
    if (major > 50) {
      EXPECT_NEAR(facts.area, 4 * pi * pi * 2 * 0.5, 0.005 * facts.area);
    }
  }
}

TEST(Cylinder, IsOpenAndTurnedOutwards) {
  for (auto [around, along] : {std::pair{3, 2}, {7, 5}, {100, 30}}) {
    const TriangleMesh mesh = make_cylinder(around, along, 0.5, 3);
    ASSERT_EQ(mesh.points.rows(), around * along);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(facts.euler, 0);
    EXPECT_EQ(facts.boundary_loops, 2);
    EXPECT_EQ(facts.boundary_edges, 2 * around);
    EXPECT_TRUE(facts.consistent);
    EXPECT_GT(facts.volume, 0);
    EXPECT_NEAR(facts.area, 2 * around * 0.5 * std::sin(pi / around) * 3, 1e-9);
    EXPECT_LT(mesh.points.colwise().mean().norm(), 1e-12);
  }
}

TEST(Box, IsTheUnitCube) {
  for (Index segments : {1, 2, 3, 9}) {
    const TriangleMesh mesh = make_box(segments);
    ASSERT_EQ(mesh.points.rows(), 6 * segments * segments + 2);
    EXPECT_EQ(mesh.triangles.rows(), 12 * segments * segments);
    EXPECT_LT((mesh.points.rowwise().lpNorm<Eigen::Infinity>().array() - 0.5).abs().maxCoeff(), 1e-15);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_TRUE(facts.consistent);
    EXPECT_NEAR(facts.area, 6, 1e-12);
    EXPECT_NEAR(facts.volume, 1, 1e-12);
  }
}

TEST(Builtin, RefusesSizesThatMakeNoShape) {
  EXPECT_THROW(make_plane(1, 5), InputError);
  EXPECT_THROW(make_plane(100000, 100000), InputError);
  EXPECT_THROW(make_sphere(0), InputError);
  EXPECT_THROW(make_sphere(20000), InputError);
  EXPECT_THROW(make_torus(2, 5), InputError);
  EXPECT_THROW(make_torus(5, 5, 1, 1.5), InputError);
  EXPECT_THROW(make_cylinder(5, 1), InputError);
  EXPECT_THROW(make_cylinder(5, 5, -1), InputError);
  EXPECT_THROW(make_box(0), InputError);
}

}  // namespace
}  // namespace geodome
