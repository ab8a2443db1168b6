#include "geodome/shape/resample/half_edge_collapse.h"

#include <gtest/gtest.h>

#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/resample/subdivide.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using testing::surface_facts;

std::vector<TriangleMesh> collapsible_shapes() {
  TriangleMesh folded = make_plane(15, 15);  // a boundary with corners and a crease inside
  for (Eigen::Index v = 0; v < folded.points.rows(); ++v)
    folded.points(v, 2) = std::abs(folded.points(v, 0) - 0.5);
  TriangleMesh far = make_jittered_sphere(8);
  far.points.rowwise() += Eigen::RowVector3d(3e6, 0, -7e6);
  return {make_plane(20, 13),
          make_sphere(9),
          make_torus(30, 14),
          make_cylinder(24, 12),
          make_box(7),
          make_moebius(40, 8),
          make_two_spheres(6),
          folded,
          make_jittered_sphere(8),
          far};
}

std::vector<char> every(Index step, Index vertices) {
  std::vector<char> keep(static_cast<std::size_t>(vertices), 0);
  for (Index v = 0; v < vertices; v += step) keep[v] = 1;
  return keep;
}

/// What is left of a mesh, by the numbers of all vertices.
TriangleMesh reduced(const TriangleMesh& mesh, Index vertices, std::vector<char> keep) {
  HalfEdgeCollapse collapse(mesh.points, mesh.triangles, std::move(keep));
  collapse.reduce_to(vertices);
  return {mesh.points, collapse.triangles()};
}

TEST(HalfEdgeCollapse, KeepsTopologyAndVerticesThatMustStay) {
  for (const TriangleMesh& mesh : collapsible_shapes()) {
    const auto before = surface_facts(mesh);
    const auto all = static_cast<Index>(mesh.points.rows());
    const std::vector<char> keep = every(9, all);
    HalfEdgeCollapse collapse(mesh.points, mesh.triangles, keep);
    EXPECT_EQ(collapse.vertices(), all);
    collapse.reduce_to(all / 4);
    EXPECT_EQ(collapse.vertices(), all / 4);
    const TriangleMesh rest{mesh.points, collapse.triangles()};
    std::vector<char> used(static_cast<std::size_t>(all), 0);
    for (const Index corner : rest.triangles.reshaped()) used[corner] = 1;
    for (Index v = 0; v < all; ++v) {
      EXPECT_EQ(collapse.has(v), used[v] != 0);
      if (keep[v]) {
        EXPECT_TRUE(collapse.has(v)) << v;
      }
    }
    const auto after = surface_facts(rest);
    EXPECT_EQ(after.euler, before.euler);
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.boundary_loops, before.boundary_loops);
    EXPECT_EQ(after.non_manifold_edges, 0);
    EXPECT_EQ(after.consistent, before.consistent);
    EXPECT_NEAR(after.area, before.area, 0.06 * before.area);
    EXPECT_NEAR(after.boundary_length, before.boundary_length, 0.06 * before.boundary_length);
    EXPECT_GT(testing::worst_quality(rest), 0.04);
  }
}

TEST(HalfEdgeCollapse, GoesOnFromWhereItWas) {
  const TriangleMesh mesh = make_jittered_sphere(10);
  const auto all = static_cast<Index>(mesh.points.rows());
  HalfEdgeCollapse steps(mesh.points, mesh.triangles, every(20, all));
  for (const Index part : {2, 4, 8}) steps.reduce_to(all / part);
  EXPECT_EQ(steps.triangles(), reduced(mesh, all / 8, every(20, all)).triangles);
}

TEST(HalfEdgeCollapse, TakesFlatPartsFirst) {
  const auto quarter_of = [](const TriangleMesh& fine) {
    const auto all = static_cast<Index>(fine.points.rows());
    return surface_facts(reduced(fine, all / 4, every(all, all)));
  };
  EXPECT_NEAR(quarter_of(make_box(10)).volume, 1, 1e-9);
  EXPECT_NEAR(quarter_of(make_plane(30, 20)).area, 1, 1e-9);
  for (const TriangleMesh& coarse : {make_jittered_sphere(8), make_moebius(30, 6)}) {
    const double area = surface_facts(coarse).area;
    EXPECT_NEAR(quarter_of(subdivide_midpoint(coarse)).area, area, 0.003 * area);
  }
}

TEST(HalfEdgeCollapse, StopsWhereNoVertexCanGo) {
  const TriangleMesh sphere = make_sphere(6);
  const auto all = static_cast<Index>(sphere.points.rows());
  EXPECT_EQ(reduced(sphere, 4, every(1, all)).triangles, sphere.triangles);
  HalfEdgeCollapse collapse(sphere.points, sphere.triangles, every(all, all));
  collapse.reduce_to(1);
  EXPECT_GE(collapse.vertices(), 4);
  EXPECT_EQ(surface_facts({sphere.points, collapse.triangles()}).euler, 2);
}

TEST(HalfEdgeCollapse, LeavesWhatIsNoManifoldInPlace) {
  const TriangleMesh fan = make_fan(6, 12);  // sheets that share edges
  const auto before = surface_facts(fan);
  const auto all = static_cast<Index>(fan.points.rows());
  const auto after = surface_facts(reduced(fan, all / 3, every(all, all)));
  EXPECT_EQ(after.non_manifold_edges, before.non_manifold_edges);
  EXPECT_EQ(after.euler, before.euler);
  EXPECT_EQ(after.boundary_loops, before.boundary_loops);
}

TEST(HalfEdgeCollapse, CanBeCancelled) {
  const TriangleMesh mesh = make_sphere(32);
  const auto all = static_cast<Index>(mesh.points.rows());
  HalfEdgeCollapse collapse(mesh.points, mesh.triangles, every(all, all));
  EXPECT_THROW(collapse.reduce_to(all / 8, {1, [](std::string_view, double) { return false; }}), Cancelled);
}

}  // namespace
}  // namespace geodome::internal
