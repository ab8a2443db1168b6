#include "geodome/laplacian/tangent_planes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "geodome/shape/builtin/builtin.h"
#include "laplacian/cloud_shapes.h"

namespace geodome::internal {
namespace {

std::vector<TangentPlane> planes_of(const Points& points, const Points& normals = {}) {
  const NeighbourTree tree(points);
  return tangent_planes(points, normals, tree);
}

TEST(TangentPlanes, AreOrthonormalAndFitAFlatGridAtAnyScale) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const TriangleMesh grid = make_plane(15, 15);
    const double step = 1.0 / 14;
    for (const TangentPlane& plane : planes_of(scale * grid.points)) {
      EXPECT_NEAR(std::abs(plane.normal.z()), 1, 1e-9);
      EXPECT_NEAR(plane.x.norm(), 1, 1e-9);
      EXPECT_NEAR(plane.y.norm(), 1, 1e-9);
      EXPECT_NEAR(plane.x.dot(plane.y), 0, 1e-9);
      // At borders and corners too, where the neighbours are on one side.
      EXPECT_GT(plane.spacing, 0.8 * scale * step);
      EXPECT_LT(plane.spacing, 1.8 * scale * step);
    }
  }
}

TEST(TangentPlanes, DoNotSeeASheetThreeSpacingsAway) {
  for (unsigned seed = 0; seed < 5; ++seed)
    for (const double noise : {0.0, 0.25}) {
      const FlatCloud sheets = two_sheets(300, seed, 3, 0, noise);
      Index tilted = 0;
      for (const TangentPlane& plane : planes_of(sheets.cloud.points))
        tilted += std::abs(plane.normal.z()) < std::cos(std::numbers::pi / 6);
      EXPECT_LE(tilted, noise > 0 ? 18 : 9) << seed;  // of 600
    }
}

TEST(TangentPlanes, WidenTheirNeighbourhoodOnScanLines) {
  Points lines(1000, 3);  // ten times denser along a line than across
  for (Index v = 0; v < 1000; ++v) lines.row(v) << v / 100, 0.1 * (v % 100), 0;
  for (const TangentPlane& plane : planes_of(lines)) {
    EXPECT_NEAR(std::abs(plane.normal.z()), 1, 1e-9);
    EXPECT_GT(plane.spacing, 0.2);
  }
}

TEST(TangentPlanes, KeepGivenNormals) {
  const TriangleMesh sphere = make_sphere(6);
  const std::vector<TangentPlane> planes = planes_of(sphere.points, sphere.points);
  for (Index v = 0; v < sphere.points.rows(); ++v)
    EXPECT_NEAR(planes[static_cast<std::size_t>(v)].normal.dot(sphere.points.row(v)), 1, 1e-9);
}

TEST(TangentPlanes, ExistForAnyNumberOfPoints) {
  for (const Index count : {1, 2, 3, 4, 9, 10}) {
    const Points points = swiss_roll(count, 1).cloud.points;
    for (const TangentPlane& plane : planes_of(points)) {
      EXPECT_NEAR(plane.normal.norm(), 1, 1e-9);
      EXPECT_EQ(plane.spacing > 0, count > 1);
    }
  }
}

}  // namespace
}  // namespace geodome::internal
