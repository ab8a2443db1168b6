#include "geodome/laplacian/cloud_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <set>

#include "geodome/base/error.h"
#include "geodome/shape/builtin.h"
#include "geodome/shape/check.h"

namespace geodome {
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
}  // namespace geodome
