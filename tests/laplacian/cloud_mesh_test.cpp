#include "geodome/laplacian/cloud_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/check.h"
#include "laplacian/cloud_shapes.h"

namespace geodome::internal {
namespace {

PointCloud random_sphere(Index count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  PointCloud cloud;
  cloud.points.resize(count, 3);
  for (Index v = 0; v < count; ++v)
    cloud.points.row(v) = Eigen::RowVector3d(normal(random), normal(random), normal(random)).normalized();
  return cloud;
}

TEST(TriangulateCloud, FindsTheSurfaceOfRegularShapesAtAnyScale) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const auto check = [&](const TriangleMesh& mesh, int euler, int border, double tolerance) {
      const ShapeReport found = check_shape(triangulate_cloud({scale * mesh.points, {}}));
      EXPECT_EQ(found.euler_characteristic(), euler);
      EXPECT_EQ(found.boundary_edges, border);
      EXPECT_EQ(found.nonmanifold_edges, 0);
      EXPECT_EQ(found.unreferenced_vertices, 0);
      EXPECT_NEAR(found.area / (scale * scale), check_shape(mesh).area, tolerance * check_shape(mesh).area);
    };
    check(make_sphere(8), 2, 0, 1e-9);
    check(make_plane(15, 10), 1, 46, 1e-9);
    check(make_box(6), 2, 0, 1e-9);
    check(make_torus(40, 20), 0, 0, 1e-2);
    check(make_cylinder(30, 15), 0, 60, 1e-9);
  }
}

TEST(TriangulateCloud, ClosesARandomSphere) {
  const PointCloud cloud = random_sphere(1500, 1);
  const ShapeReport found = check_shape(triangulate_cloud(cloud));
  EXPECT_EQ(found.euler_characteristic(), 2);
  EXPECT_EQ(found.boundary_edges, 0);
  EXPECT_EQ(found.unreferenced_vertices, 0);
  EXPECT_NEAR(found.area, 4 * std::numbers::pi, 0.1);
  const ShapeReport with_normals = check_shape(triangulate_cloud({cloud.points, cloud.points}));
  EXPECT_EQ(with_normals.euler_characteristic(), 2);
}

TEST(TriangulateCloud, NormalsKeepTheTwoSidesOfAThinSheetApart) {
  PointCloud sheet;
  const TriangleMesh plane = make_plane(15, 15);
  sheet.points.resize(450, 3);
  sheet.normals.resize(450, 3);
  for (Index v = 0; v < 225; ++v) {
    sheet.points.row(v) = plane.points.row(v);
    sheet.points.row(225 + v) = plane.points.row(v) + Eigen::RowVector3d(0.02, 0.03, 0.02);
    sheet.normals.row(v) << 0, 0, -1;
    sheet.normals.row(225 + v) << 0, 0, 1;
  }
  const TriangleMesh mesh = triangulate_cloud(sheet);
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 1; k < 3; ++k) EXPECT_EQ(mesh.triangles(f, k) < 225, mesh.triangles(f, 0) < 225);
  EXPECT_NEAR(check_shape(mesh).area, 2, 1e-9);
}

/// Triangles with an edge between two sheets, or much longer along the sheet than in space.
Index bridges(const FlatCloud& shape, const TriangleMesh& mesh) {
  Index count = 0;
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
      const double along = (shape.flat.row(a) - shape.flat.row(b)).norm();
      count += shape.sheet[static_cast<std::size_t>(a)] != shape.sheet[static_cast<std::size_t>(b)] ||
               along > 1.6 * (mesh.points.row(a) - mesh.points.row(b)).norm();
    }
  return count;
}

TEST(TriangulateCloud, SheetsThreeSpacingsApartAreNeverJoined) {
  for (const Index count : {100, 400})
    for (const double shift : {0.0, 0.4})
      for (unsigned seed = 0; seed < 6; ++seed) {
        const FlatCloud sheets = two_sheets(count, seed, 3, shift);
        const TriangleMesh mesh = triangulate_cloud(sheets.cloud);
        EXPECT_EQ(bridges(sheets, mesh), 0) << count << " " << shift << " " << seed;
        const ShapeReport found = check_shape(mesh);
        EXPECT_EQ(found.components, 2);
        EXPECT_LE(found.unreferenced_vertices, 2);
        EXPECT_GT(found.area, 2 * (1 - 3 / std::sqrt(static_cast<double>(count))));
      }
}

TEST(TriangulateCloud, FollowsASwissRollWithoutShortcuts) {
  for (const Index count : {1000, 1500})
    for (unsigned seed = 0; seed < 5; ++seed) {
      const FlatCloud roll = swiss_roll(count, seed);
      const TriangleMesh mesh = triangulate_cloud(roll.cloud);
      EXPECT_EQ(bridges(roll, mesh), 0) << count << " " << seed;
      EXPECT_EQ(check_shape(mesh).components, 1);
      EXPECT_LE(check_shape(mesh).unreferenced_vertices, 1);
    }
}

TEST(TriangulateCloud, SurvivesNoiseOfAQuarterSpacing) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    const FlatCloud sheets = two_sheets(400, seed, 5, 0, 0.25);
    const FlatCloud roll = swiss_roll(1500, seed, 0.25);
    for (const FlatCloud* shape : {&sheets, &roll}) {
      const TriangleMesh mesh = triangulate_cloud(shape->cloud);
      EXPECT_EQ(check_shape(mesh).components, shape == &sheets ? 2 : 1) << seed;
      EXPECT_LE(check_shape(mesh).unreferenced_vertices, shape->cloud.points.rows() / 100);
    }
  }
}

TEST(TriangulateCloud, ClosesARandomCubeAndFollowsDensity) {
  for (unsigned seed = 0; seed < 5; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform;
    PointCloud cube, graded;
    cube.points.resize(1200, 3);
    graded.points.resize(1200, 3);
    for (Index v = 0; v < 1200; ++v) {
      const Eigen::RowVector3d inside(uniform(random), uniform(random), uniform(random));
      cube.points.row(v) = inside;
      cube.points(v, v % 3) = v % 2;
      // A hundred times denser near the origin than away from it.
      graded.points.row(v) << std::pow(inside[0], 3), inside[1], 0.3 * inside[1] * inside[1];
    }
    const ShapeReport found = check_shape(triangulate_cloud(cube));
    EXPECT_EQ(found.components, 1);
    EXPECT_NEAR(found.area, 6, 0.4);
    EXPECT_LE(found.boundary_edges, 60);  // of 3,600
    const ShapeReport strip = check_shape(triangulate_cloud(graded));
    EXPECT_EQ(strip.components, 1);
    EXPECT_LE(strip.unreferenced_vertices, 2);
  }
}

TEST(TriangulateCloud, FillsSmallHolesButNoBorders) {
  for (const Index side : {2, 3, 5}) {
    const TriangleMesh plane = make_plane(side, side);
    const ShapeReport found = check_shape(triangulate_cloud({plane.points, {}}));
    EXPECT_EQ(found.boundary_edges, 4 * (side - 1));
    EXPECT_NEAR(found.area, check_shape(plane).area, 1e-9);
  }
}

TEST(TriangulateCloud, OrderOfPointsDoesNotMatter) {
  const PointCloud cloud = random_sphere(600, 3);
  const Index count = static_cast<Index>(cloud.points.rows());
  PointCloud reversed;
  reversed.points = cloud.points.colwise().reverse();
  const auto triangles = [&](const TriangleMesh& mesh, bool reverse) {
    std::set<std::set<Index>> result;
    for (Index f = 0; f < mesh.triangles.rows(); ++f) {
      std::set<Index> corners;
      for (int k = 0; k < 3; ++k)
        corners.insert(reverse ? count - 1 - mesh.triangles(f, k) : mesh.triangles(f, k));
      result.insert(corners);
    }
    return result;
  };
  EXPECT_EQ(triangles(triangulate_cloud(cloud), false), triangles(triangulate_cloud(reversed), true));
}

TEST(TriangulateCloud, ThreadsDoNotMatter) {
  const PointCloud cloud = random_sphere(800, 2);
  EXPECT_EQ(triangulate_cloud(cloud, 30, {1, {}}).triangles, triangulate_cloud(cloud, 30, {2, {}}).triangles);
}

TEST(TriangulateCloud, RepeatedPointsHangOnTheFirst) {
  PointCloud cloud = random_sphere(400, 4);
  cloud.points.conservativeResize(500, 3);
  for (Index v = 400; v < 500; ++v) cloud.points.row(v) = cloud.points.row(v - 400);
  const TriangleMesh mesh = triangulate_cloud(cloud);
  EXPECT_EQ(check_shape(mesh).unreferenced_vertices, 0);
  EXPECT_EQ(mesh.triangles.rows(), 796 + 100);
}

TEST(TriangulateCloud, FewOrStraightPointsGiveNoTriangles) {
  for (const Index count : {0, 1, 2, 40}) {
    PointCloud line;
    line.points = Points::Zero(count, 3);
    for (Index v = 0; v < count; ++v) line.points(v, 0) = v;
    EXPECT_EQ(triangulate_cloud(line).triangles.rows(), 0);
  }
}

TEST(TriangulateCloud, FarOutliersStayOutOfTheSurface) {
  PointCloud cloud = random_sphere(1000, 5);
  for (Index v = 0; v < 5; ++v) cloud.points.row(v) *= 3;
  const TriangleMesh mesh = triangulate_cloud(cloud);
  EXPECT_EQ(check_shape(mesh).unreferenced_vertices, 5);
  EXPECT_EQ(check_shape(mesh).boundary_edges, 0);
}

TEST(TriangulateCloud, NamesWhatIsWrong) {
  PointCloud cloud = random_sphere(50, 6);
  EXPECT_THROW(triangulate_cloud(cloud, 4), InputError);
  cloud.normals = Points::Ones(49, 3);
  EXPECT_THROW(triangulate_cloud(cloud), InputError);
  cloud.normals.resize(0, 3);
  cloud.points(17, 1) = std::nan("");
  EXPECT_THROW(triangulate_cloud(cloud), InputError);
}

}  // namespace
}  // namespace geodome::internal
