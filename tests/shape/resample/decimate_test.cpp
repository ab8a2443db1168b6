#include "geodome/shape/resample/decimate.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/resample/subdivide.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using testing::surface_facts;

TriangleMesh two_spheres() {
  TriangleMesh a = make_sphere(6), both;
  const Eigen::Index n = a.points.rows(), f = a.triangles.rows();
  both.points.resize(2 * n, 3);
  both.points << a.points, a.points.rowwise() + Eigen::RowVector3d(3, 0, 0);
  both.triangles.resize(2 * f, 3);
  both.triangles << a.triangles, a.triangles.array() + static_cast<Index>(n);
  return both;
}

std::vector<TriangleMesh> family() {
  TriangleMesh folded = make_plane(15, 15);  // a boundary with corners and a crease inside
  for (Eigen::Index v = 0; v < folded.points.rows(); ++v)
    folded.points(v, 2) = std::abs(folded.points(v, 0) - 0.5);
  return {make_plane(20, 13), make_sphere(9), make_torus(30, 14), make_cylinder(24, 12), make_box(7),
          two_spheres(),      folded};
}

TEST(Decimate, KeepsTopologyAreaAndVolume) {
  for (const TriangleMesh& mesh : family()) {
    const auto before = surface_facts(mesh);
    const auto target = static_cast<Index>(mesh.points.rows() / 4);
    const Decimated out = decimate(mesh, target);
    EXPECT_EQ(out.mesh.points.rows(), target);
    EXPECT_EQ(out.note, "");
    EXPECT_EQ(out.origin.size(), static_cast<std::size_t>(target));
    EXPECT_TRUE(std::is_sorted(out.origin.begin(), out.origin.end()));
    const auto after = surface_facts(out.mesh);
    EXPECT_EQ(after.euler, before.euler);
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.boundary_loops, before.boundary_loops);
    EXPECT_EQ(after.non_manifold_edges, 0);
    EXPECT_TRUE(after.consistent);
    EXPECT_NEAR(after.area, before.area, 0.05 * before.area);
    if (before.boundary_edges == 0) {
      EXPECT_NEAR(after.volume, before.volume, 0.05 * before.volume);
    }
    EXPECT_NEAR(after.boundary_length, before.boundary_length, 0.05 * before.boundary_length);
    EXPECT_GT(testing::worst_quality(out.mesh), 0.04);
  }
}

TEST(Decimate, LeavesFlatAndSharpPartsInPlace) {
  const Decimated box = decimate(make_box(10), 40);
  EXPECT_NEAR(surface_facts(box.mesh).volume, 1, 0.01);
  const Decimated plane = decimate(make_plane(20, 20), 30);
  EXPECT_LT(plane.mesh.points.col(2).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_NEAR(surface_facts(plane.mesh).area, 1, 1e-3);
}

TEST(Decimate, StaysCloseToTheSphere) {
  const Decimated coarse = decimate(make_sphere(20), 500);
  const Eigen::VectorXd radii = coarse.mesh.points.rowwise().norm();
  EXPECT_GT(radii.minCoeff(), 0.99);
  EXPECT_LT(radii.maxCoeff(), 1.02);
}

TEST(Decimate, ScalesWithTheShape) {
  const TriangleMesh mesh = make_torus(30, 14);
  const Decimated plain = decimate(mesh, 100);
  for (double scale : {1e-8, 1e8}) {
    TriangleMesh scaled = mesh;
    scaled.points *= scale;
    scaled.points.rowwise() += Eigen::RowVector3d(3, -2, 1) * scale;
    const Decimated out = decimate(scaled, 100);
    const auto facts = surface_facts(out.mesh), expected = surface_facts(plain.mesh);
    EXPECT_EQ(facts.euler, expected.euler);
    EXPECT_NEAR(facts.area / (scale * scale), expected.area, 0.02 * expected.area);
  }
}

TEST(Decimate, StopsWhereTheTopologyWouldChange) {
  for (const TriangleMesh& mesh : family()) {
    const auto before = surface_facts(mesh);
    const Decimated out = decimate(mesh, 4);
    const auto after = surface_facts(out.mesh);
    EXPECT_EQ(after.euler, before.euler);
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.boundary_loops, before.boundary_loops);
    EXPECT_EQ(out.note.empty(), out.mesh.points.rows() == 4);
  }
  EXPECT_NE(decimate(two_spheres(), 4).note, "");
}

TEST(Decimate, LeavesNonManifoldPartsAlone) {
  // Three sheets on one edge, subdivided: the spine and all on it stays; the sheets get coarser.
  TriangleMesh fan;
  fan.points.resize(5, 3);
  fan.points << 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1, -1, 0, -1;
  fan.triangles.resize(3, 3);
  fan.triangles << 0, 1, 2, 0, 1, 3, 0, 1, 4;
  for (int round = 0; round < 4; ++round) fan = subdivide_midpoint(fan);
  const auto before = surface_facts(fan);
  const Decimated out = decimate(fan, 120);
  const auto after = surface_facts(out.mesh);
  EXPECT_EQ(out.mesh.points.rows(), 120);
  EXPECT_EQ(after.non_manifold_edges, before.non_manifold_edges);
  EXPECT_EQ(after.euler, before.euler);
  EXPECT_NEAR(after.area, before.area, 0.01 * before.area);
  const auto spine = [](const Points& points) {
    return (points.col(0).array().abs() < 1e-12 && points.col(2).array().abs() < 1e-12).count();
  };
  EXPECT_EQ(spine(out.mesh.points), spine(fan.points));
}

TEST(Decimate, DropsWhatIsNoSurfaceAndSaysSo) {
  TriangleMesh mesh = make_plane(4, 4);
  mesh.points.conservativeResize(18, 3);
  mesh.points.bottomRows(2) << 5, 5, 5, 6, 6, 6;
  const Decimated out = decimate(mesh, 17);
  EXPECT_EQ(out.mesh.points.rows(), 16);
  EXPECT_NE(out.note, "");
  EXPECT_EQ(out.mesh.points, mesh.points.topRows(16));
}

TEST(Decimate, RefusesBadInput) {
  EXPECT_THROW(decimate(make_sphere(3), 3), InputError);
  EXPECT_THROW(decimate(TriangleMesh{}, 10), InputError);
  TriangleMesh mesh = make_sphere(3);
  mesh.points(5, 1) = std::nan("");
  EXPECT_THROW(decimate(mesh, 10), InputError);
  mesh = make_sphere(3);
  mesh.triangles(0, 0) = 1000;
  EXPECT_THROW(decimate(mesh, 10), InputError);
}

TEST(Decimate, UniformityEvensOutTheEdges) {
  TriangleMesh mesh = make_plane(20, 20);
  for (Eigen::Index v = 0; v < mesh.points.rows(); ++v)
    mesh.points(v, 2) = std::sin(7 * mesh.points(v, 0)) / 4;
  const auto spread = [](const TriangleMesh& m) {
    double longest = 0, total = 0;
    for (Eigen::Index c = 0; c < m.triangles.size(); ++c) {
      const double length =
          (m.points.row(m.triangles(c / 3, c % 3)) - m.points.row(m.triangles(c / 3, (c + 1) % 3))).norm();
      longest = std::max(longest, length);
      total += length;
    }
    return longest / (total / static_cast<double>(m.triangles.size()));
  };
  DecimateOptions even;
  even.uniformity = 10;
  EXPECT_LT(spread(decimate(mesh, 100, even).mesh), spread(decimate(mesh, 100, {1e-6, 10}).mesh));
}

}  // namespace
}  // namespace geodome::internal
