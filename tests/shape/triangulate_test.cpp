#include "geodome/shape/triangulate.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "geodome/base/error.h"
#include "geodome/shape/check.h"
#include "shape/small_shapes.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

using namespace testing;

using Outline = std::vector<std::array<double, 3>>;

PolygonMesh single_face(const Outline& outline) {
  std::vector<Index> face(outline.size());
  for (std::size_t k = 0; k < face.size(); ++k) face[k] = static_cast<Index>(k);
  return make_polygons(outline, {face});
}

/// A star-shaped outline with a random radius at every corner: simple, mostly not convex.
Outline random_star(int corners, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> radius(0.2, 1);
  Outline outline;
  for (int k = 0; k < corners; ++k) {
    const double r = radius(random), angle = 2 * std::numbers::pi * k / corners;
    outline.push_back({r * std::cos(angle), r * std::sin(angle), 0});
  }
  return outline;
}

/// A comb: a long bar with teeth, whose chords mostly run outside.
Outline comb(int teeth) {
  Outline outline;
  for (int k = 0; k < teeth; ++k) {
    outline.push_back({2.0 * k, 0, 0});
    outline.push_back({2.0 * k + 0.5, 5, 0});
    outline.push_back({2.0 * k + 1, 0, 0});
  }
  outline.push_back({2.0 * teeth, -1, 0});
  outline.push_back({-1, -1, 0});
  std::reverse(outline.begin(), outline.end());
  return outline;
}

/// Positive area of every triangle along the face's normal, adding up to the face's.
void expect_covered_once(const PolygonMesh& mesh) {
  const TriangleMesh split = triangulate(mesh);
  EXPECT_EQ(split.points, mesh.points);
  ASSERT_EQ(split.triangles.rows(), static_cast<Eigen::Index>(mesh.corners.size()) - 2);
  const Eigen::RowVector3d whole = vector_area(mesh.points, mesh.corners);
  double total = 0;
  for (Eigen::Index f = 0; f < split.triangles.rows(); ++f) {
    const std::array<Index, 3> face{split.triangles(f, 0), split.triangles(f, 1), split.triangles(f, 2)};
    const double area = vector_area(mesh.points, face).dot(whole.normalized());
    EXPECT_GT(area, 0);
    total += area;
  }
  EXPECT_NEAR(total, whole.norm(), 1e-10 * whole.norm());
  const SurfaceFacts facts = surface_facts(split);
  EXPECT_EQ(facts.euler, 1);
  EXPECT_EQ(facts.boundary_edges, static_cast<Index>(mesh.corners.size()));
  EXPECT_TRUE(facts.consistent);
}

TEST(Triangulate, CoversFlatPolygonsOnceWhateverTheirShapePlaceAndScale) {
  const Eigen::Matrix3d turn =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  std::vector<Outline> outlines{comb(2), comb(9), comb(40)};
  for (int corners : {3, 4, 5, 7, 12, 32, 33, 100}) outlines.push_back(random_star(corners, corners));
  for (const Outline& outline : outlines)
    for (double scale : {1e-8, 1.0, 1e8}) {
      PolygonMesh mesh = single_face(outline);
      mesh.points = scale * ((mesh.points * turn.transpose()).rowwise() + Eigen::RowVector3d(3, -2, 1));
      SCOPED_TRACE(text(outline.size(), " corners at scale ", scale));
      expect_covered_once(mesh);
    }
}

TEST(Triangulate, ManyRandomStars) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    expect_covered_once(single_face(random_star(4 + static_cast<int>(seed % 12), seed)));
  }
}

TEST(Triangulate, TakesTheShorterDiagonalOfAKite) {
  const TriangleMesh split = triangulate(single_face({{-3, 0, 0}, {0, -1, 0}, {3, 0, 0}, {0, 1, 0}}));
  for (Eigen::Index f = 0; f < 2; ++f) {
    const std::set<Index> corners{split.triangles(f, 0), split.triangles(f, 1), split.triangles(f, 2)};
    EXPECT_TRUE(corners.count(1) && corners.count(3));
  }
}

TEST(Triangulate, IsAsGoodAsAnySplitOfAPentagon) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    const PolygonMesh mesh = single_face(random_star(5, seed));
    double best = -1;
    for (Index tip = 0; tip < 5; ++tip) {  // every split of a pentagon is a fan
      std::vector<std::array<Index, 3>> fan;
      bool upright = true;
      for (Index k = 1; k < 4; ++k) {
        fan.push_back({tip, (tip + k) % 5, (tip + k + 1) % 5});
        upright = upright && vector_area(mesh.points, fan.back()).z() > 0;
      }
      TriangleMesh split{mesh.points, Triangles(3, 3)};
      for (int f = 0; f < 3; ++f)
        for (int k = 0; k < 3; ++k) split.triangles(f, k) = fan[f][k];
      if (upright) best = std::max(best, worst_quality(split));
    }
    EXPECT_NEAR(worst_quality(triangulate(mesh)), best, 1e-12);
  }
}

TEST(Triangulate, KeepsAClosedMeshClosed) {
  const ShapeReport report = check_shape(triangulate(cube()));
  EXPECT_EQ(report.faces, 12);
  EXPECT_TRUE(report.closed() && report.manifold() && report.oriented());
  EXPECT_DOUBLE_EQ(report.area, 6);
}

TEST(Triangulate, LeavesTrianglesAsTheyAre) {
  EXPECT_EQ(triangulate(as_polygons(tetrahedron())).triangles, tetrahedron().triangles);
}

TEST(Triangulate, CopesWithRepeatedCornersAndHoles) {
  // A square with a square hole, as one face that walks the cut 0-4 twice.
  const PolygonMesh mesh =
      make_polygons({{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}},
                    {{0, 1, 2, 3, 0, 4, 7, 6, 5, 4}});
  const ShapeReport report = check_shape(triangulate(mesh));
  EXPECT_EQ(report.faces, 8);
  EXPECT_EQ(report.zero_area_faces, 0);
  EXPECT_DOUBLE_EQ(report.area, 8);
  EXPECT_EQ(report.boundary_edges, 8);
  EXPECT_EQ(triangulate(make_polygons({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 0, 1, 1, 2, 0}, {0, 1, 0, 1}}))
                .triangles.rows(),
            1);
}

TEST(Triangulate, CopesWithFacesOnALineOrInAPoint) {
  EXPECT_EQ(triangulate(single_face({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}})).triangles.rows(), 2);
  EXPECT_EQ(triangulate(single_face(Outline(40, {1, 1, 1}))).triangles.rows(), 38);
}

// Two edges there and back: every triangle repeats a corner.
TEST(Triangulate, KeepsCornersTogetherWhereTheyRepeat) {
  const PolygonMesh twice = make_polygons({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 0, 2}});
  EXPECT_EQ(check_shape(triangulate(twice)).components, check_shape(twice).components);
  std::mt19937 generator(1);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<Index> face(3 + generator() % 6);
    for (Index& v : face) v = static_cast<Index>(generator() % 6);
    const PolygonMesh mesh =
        make_polygons({{0, 0, 0}, {1, 0, 0}, {2, 1, 0}, {0, 1, 0}, {1, 1, 0}, {0, 0, 0}}, {face});
    const ShapeReport before = check_shape(mesh), after = check_shape(triangulate(mesh));
    EXPECT_EQ(after.components, before.components);
    EXPECT_EQ(after.unreferenced_vertices, before.unreferenced_vertices);
  }
}

TEST(Triangulate, RefusesWhatItCannotSplit) {
  EXPECT_THROW(triangulate(make_polygons({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2, 3}})), InputError);
  EXPECT_THROW(triangulate(single_face(random_star(largest_degree + 1, 0))), InputError);
}

}  // namespace
}  // namespace geodome::internal
