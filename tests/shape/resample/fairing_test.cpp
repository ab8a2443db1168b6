#include "geodome/shape/resample/fairing.h"

#include <gtest/gtest.h>

#include <numbers>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/marching_tetrahedra.h"
#include "geodome/shape/resample/split_edges.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using Eigen::Vector3d;
using testing::surface_facts;

TriangleMesh marched_ball(double radius, double cell) {
  return mesh_zero_set([radius](const Vector3d& p) { return p.norm() - radius; }, Vector3d::Constant(-1.3),
                       Vector3d::Constant(1.3), cell);
}

TEST(MarchingTetrahedra, MeshesABallAndAShellWithHole) {
  double last = 1;
  for (double cell : {0.3, 0.15, 0.07}) {
    const TriangleMesh ball = marched_ball(1, cell);
    const auto facts = surface_facts(ball);
    EXPECT_EQ(facts.euler, 2);
    EXPECT_EQ(facts.boundary_edges, 0);
    EXPECT_EQ(facts.non_manifold_edges, 0);
    EXPECT_TRUE(facts.consistent);
    const double error = std::abs(facts.volume / (4 * std::numbers::pi / 3) - 1);
    EXPECT_LT(error, last / 2);
    last = error;
  }
  const auto torus = surface_facts(
      mesh_zero_set([](const Vector3d& p) { return std::hypot(std::hypot(p.x(), p.y()) - 0.8, p.z()) - 0.3; },
                    Vector3d::Constant(-1.3), Vector3d::Constant(1.3), 0.1));
  EXPECT_EQ(torus.euler, 0);
  EXPECT_EQ(torus.boundary_edges, 0);
  EXPECT_GT(torus.volume, 0);
}

TEST(Fairing, MakesBetterTrianglesOfTheSameSurface) {
  TriangleMesh mesh = marched_ball(1, 0.2);
  const double before = testing::worst_quality(mesh);
  const auto facts = surface_facts(mesh);
  for (int round = 0; round < 10; ++round) {
    flip_to_even_degrees(mesh);
    relax(mesh, 3, [](const Vector3d& p) { return Vector3d(p.normalized()); });
  }
  flip_to_delaunay(mesh);
  const auto after = surface_facts(mesh);
  EXPECT_EQ(after.euler, facts.euler);
  EXPECT_EQ(after.boundary_edges, 0);
  EXPECT_TRUE(after.consistent);
  EXPECT_NEAR(after.volume, facts.volume, 0.02 * facts.volume);
  EXPECT_GT(testing::worst_quality(mesh), 0.4);
  EXPECT_GT(testing::worst_quality(mesh), before);
}

TEST(Fairing, FlipsTheOneBadDiagonal) {
  TriangleMesh mesh;  // a kite split along its long diagonal
  mesh.points.resize(4, 3);
  mesh.points << 0, 0, 0, 4, 0, 0, 2, 1, 0, 2, -1, 0;
  mesh.triangles.resize(2, 3);
  mesh.triangles << 0, 1, 2, 1, 0, 3;
  EXPECT_EQ(flip_to_delaunay(mesh), 1);
  EXPECT_NEAR(surface_facts(mesh).area, 4, 1e-14);
  EXPECT_TRUE(surface_facts(mesh).consistent);
  EXPECT_EQ(flip_to_delaunay(mesh), 0);
}

TEST(SplitEdges, KeepsSurfaceTopologyAndFirstVertices) {
  for (const TriangleMesh& mesh : {make_plane(3, 4), make_sphere(2), make_torus(5, 4), make_cylinder(5, 3)}) {
    const auto before = surface_facts(mesh);
    for (Index parts : {1, 2, 3, 5}) {
      const TriangleMesh fine = split_edges(mesh, parts);
      const auto after = surface_facts(fine);
      EXPECT_EQ(fine.triangles.rows(), mesh.triangles.rows() * parts * parts);
      EXPECT_EQ(fine.points.topRows(mesh.points.rows()), mesh.points);
      EXPECT_EQ(after.euler, before.euler);
      EXPECT_EQ(after.boundary_edges, before.boundary_edges * parts);
      EXPECT_EQ(after.consistent, before.consistent);
      EXPECT_NEAR(after.area, before.area, 1e-12 * before.area);
      EXPECT_NEAR(after.volume, before.volume, 1e-12);
    }
  }
  EXPECT_THROW(split_edges(make_sphere(1), 0), InputError);
  EXPECT_THROW(split_edges(make_sphere(1), 20000), InputError);
}

}  // namespace
}  // namespace geodome::internal
