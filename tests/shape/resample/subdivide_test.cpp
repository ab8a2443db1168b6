#include "geodome/shape/resample/subdivide.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/edge_table.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using testing::surface_facts;

std::vector<TriangleMesh> coarse_meshes() {
  TriangleMesh fan;  // three triangles on one edge
  fan.points.resize(5, 3);
  fan.points << 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1, -1, 0, -1;
  fan.triangles.resize(3, 3);
  fan.triangles << 0, 1, 2, 0, 1, 3, 0, 1, 4;
  return {make_plane(4, 6), make_sphere(3), make_torus(7, 5), make_cylinder(6, 4), make_box(2), fan};
}

TEST(EdgeTable, CountsEveryEdgeOnceWithItsFaces) {
  for (const TriangleMesh& mesh : coarse_meshes()) {
    const EdgeTable table = find_edges(mesh);
    const auto facts = surface_facts(mesh);
    EXPECT_EQ(mesh.points.rows() - table.size() + mesh.triangles.rows(), facts.euler);
    EXPECT_TRUE(std::is_sorted(table.edges.begin(), table.edges.end()));
    EXPECT_EQ(std::count(table.faces_on_edge.begin(), table.faces_on_edge.end(), 1), facts.boundary_edges);
    for (Eigen::Index c = 0; c < mesh.triangles.size(); ++c) {
      const Index a = mesh.triangles(c / 3, c % 3), b = mesh.triangles(c / 3, (c + 1) % 3);
      const auto edge = table.edges[table.edge_of_corner[c]];
      EXPECT_EQ(std::pair(edge[0], edge[1]), std::pair(std::min(a, b), std::max(a, b)));
    }
  }
}

TEST(EdgeTable, RefusesCornersThatAreNoVertices) {
  TriangleMesh mesh = make_plane(2, 2);
  mesh.triangles(1, 2) = 4;
  EXPECT_THROW(find_edges(mesh), InputError);
  mesh.triangles(1, 2) = -1;
  EXPECT_THROW(find_edges(mesh), InputError);
}

TEST(Subdivide, KeepsTopologyAndTheFirstVertices) {
  for (const TriangleMesh& mesh : coarse_meshes()) {
    const auto before = surface_facts(mesh);
    const Eigen::Index n = mesh.points.rows();
    for (bool smooth : {false, true}) {
      const TriangleMesh fine = smooth ? subdivide_loop(mesh) : subdivide_midpoint(mesh);
      const auto after = surface_facts(fine);
      EXPECT_EQ(fine.points.rows(), n + find_edges(mesh).size());
      EXPECT_EQ(fine.triangles.rows(), 4 * mesh.triangles.rows());
      EXPECT_EQ(after.euler, before.euler);
      EXPECT_EQ(after.components, before.components);
      EXPECT_EQ(after.boundary_loops, before.boundary_loops);
      EXPECT_EQ(after.boundary_edges, 2 * before.boundary_edges);
      EXPECT_EQ(after.non_manifold_edges, 2 * before.non_manifold_edges);
      EXPECT_EQ(after.consistent, before.consistent);
      if (!smooth) {
        EXPECT_EQ(fine.points.topRows(n), mesh.points);
        EXPECT_NEAR(after.area, before.area, 1e-12 * before.area);
        EXPECT_NEAR(after.volume, before.volume, 1e-12);
        EXPECT_NEAR(after.boundary_length, before.boundary_length, 1e-12);
      }
    }
  }
}

TEST(Subdivide, LoopReproducesAPlaneInside) {
  // Loop's rules reproduce linear functions, so a flat mesh stays flat whatever its triangles look like.
  TriangleMesh mesh = make_plane(5, 4);
  for (Eigen::Index v = 0; v < mesh.points.rows(); ++v)
    mesh.points(v, 2) = 3 * mesh.points(v, 0) - mesh.points(v, 1);
  const TriangleMesh fine = subdivide_loop(subdivide_loop(mesh));
  for (Eigen::Index v = 0; v < fine.points.rows(); ++v) {
    EXPECT_NEAR(fine.points(v, 2), 3 * fine.points(v, 0) - fine.points(v, 1), 1e-13);
  }
}

/// Largest angle between the normals of two triangles that share an edge.
double sharpest_fold(const TriangleMesh& mesh) {
  const EdgeTable table = find_edges(mesh);
  std::vector<std::vector<Eigen::Vector3d>> normals(table.size());
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const Eigen::Vector3d a = mesh.points.row(mesh.triangles(f, 0)),
                          b = mesh.points.row(mesh.triangles(f, 1)),
                          c = mesh.points.row(mesh.triangles(f, 2));
    for (int k = 0; k < 3; ++k)
      normals[table.edge_of_corner[3 * f + k]].push_back((b - a).cross(c - a).normalized());
  }
  double sharpest = 0;
  for (const auto& pair : normals) {
    if (pair.size() == 2) sharpest = std::max(sharpest, std::acos(std::min(1.0, pair[0].dot(pair[1]))));
  }
  return sharpest;
}

TEST(Subdivide, LoopMakesTheSphereSmoother) {
  TriangleMesh smooth = make_sphere(2), flat = smooth;
  const double before = sharpest_fold(smooth);
  for (int round = 1; round <= 3; ++round) {
    smooth = subdivide_loop(smooth);
    flat = subdivide_midpoint(flat);
    EXPECT_LT(sharpest_fold(smooth), before * std::pow(0.65, round));
    EXPECT_NEAR(sharpest_fold(flat), before, 1e-9);
    const auto radii = smooth.points.rowwise().norm();
    EXPECT_LT(radii.maxCoeff() / radii.minCoeff(), 1.02);
  }
}

TEST(Subdivide, LoopSmoothsABoundaryAlongItselfAlone) {
  // The rim of a cylinder stays in its plane, and the result there does not depend on the inside.
  TriangleMesh low = make_cylinder(8, 2), high = make_cylinder(8, 5);
  const TriangleMesh fine_low = subdivide_loop(low), fine_high = subdivide_loop(high);
  for (Index v = 0; v < 8; ++v) {
    EXPECT_NEAR(fine_low.points(v, 2), -1, 1e-15);
    EXPECT_LT((fine_low.points.row(v) - fine_high.points.row(v)).norm(), 1e-15);
  }
}

PolygonMesh quads_of_box() {
  PolygonMesh box;
  box.points.resize(8, 3);
  for (int v = 0; v < 8; ++v) box.points.row(v) << (v & 1), (v >> 1 & 1), (v >> 2);
  box.corners = {0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5};
  box.offsets = {0, 4, 8, 12, 16, 20, 24};
  return box;
}

TEST(Subdivide, PolygonsBecomeQuads) {
  const PolygonMesh box = quads_of_box();
  for (bool smooth : {false, true}) {
    const PolygonMesh fine = smooth ? subdivide_catmull_clark(box) : subdivide_midpoint(box);
    EXPECT_EQ(fine.points.rows(), 8 + 12 + 6);
    EXPECT_EQ(fine.offsets.size(), 25u);
    EXPECT_EQ(fine.points.rows() - find_edges(fine).size() + 24, 2);
    for (Index count : find_edges(fine).faces_on_edge) EXPECT_EQ(count, 2);
  }
  EXPECT_EQ(subdivide_midpoint(box).points.topRows(8), box.points);
  // By hand: a cube's corner moves to (Q + 2R + 0·P)/3 with Q = (1/2 + 1/2 + 0)/3 and R = (1/2 + 0 + 0)/3 per
  // axis.
  EXPECT_NEAR(subdivide_catmull_clark(box).points(0, 0), (1.0 / 3 + 2.0 / 6) / 3, 1e-15);
}

TEST(Subdivide, RefusesWhatHasNoFaces) {
  EXPECT_THROW(subdivide(PointCloud{}, 1, false), InputError);
  EXPECT_THROW(subdivide(Graph{}, 1, true), InputError);
  EXPECT_THROW(subdivide(make_sphere(1), -1, false), InputError);
  EXPECT_EQ(vertex_count(subdivide(make_sphere(1), 2, true)), 162);
  EXPECT_EQ(face_count(subdivide(quads_of_box(), 2, true)), 96);
}

}  // namespace
}  // namespace geodome::internal
