#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "bytes.h"
#include "file_support.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::parse;
using testing::put;

constexpr int side = 1201;

std::string tile() {
  std::string bytes;
  for (int row = 0; row < side; ++row) {
    for (int column = 0; column < side; ++column) {
      put(bytes, static_cast<std::int16_t>(row - 2 * column), ByteOrder::big);
    }
  }
  return bytes;
}

void set_void(std::string& bytes, int row, int column) {
  bytes.replace(2 * (static_cast<std::size_t>(row) * side + static_cast<std::size_t>(column)), 2,
                std::string("\x80\0", 2));
}

TEST(Hgt, IsASurfaceInMetresSeenFromAbove) {
  const TriangleMesh mesh = std::get<TriangleMesh>(parse("some/terrain_N57E011.hgt", tile()));
  ASSERT_EQ(mesh.points.rows(), side * side);
  ASSERT_EQ(mesh.triangles.rows(), 2 * (side - 1) * (side - 1));
  // The first row is the northern one.
  EXPECT_EQ(mesh.points(0, 0), 0);
  EXPECT_GT(mesh.points(0, 1), mesh.points(side, 1));
  EXPECT_EQ(mesh.points(side * (side - 1), 1), 0);
  EXPECT_EQ(mesh.points(5 * side + 7, 2), 5 - 14);
  // Every triangle turns left; together they cover the tile once.
  double area = 0;
  bool all_left = true;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto a = mesh.points.row(mesh.triangles(f, 0)).head<2>();
    const Eigen::RowVector2d u = mesh.points.row(mesh.triangles(f, 1)).head<2>() - a;
    const Eigen::RowVector2d v = mesh.points.row(mesh.triangles(f, 2)).head<2>() - a;
    const double twice = u.x() * v.y() - u.y() * v.x();
    all_left = all_left && twice > 0;
    area += twice / 2;
  }
  EXPECT_TRUE(all_left);
  const double width = mesh.points(side - 1, 0);
  const double height = mesh.points(0, 1);
  EXPECT_NEAR(area, width * height, 1e-9 * width * height);
  // A degree of latitude is 111 km and a bit; one of longitude shrinks with the cosine.
  EXPECT_NEAR(height, 111.4e3, 100);
  EXPECT_NEAR(width, height * std::cos(57.5 * std::numbers::pi / 180), 0.01 * width);
}

TEST(Hgt, SizeDependsOnLatitudeAlike) {
  const auto width = [](const std::string& name) {
    return std::get<TriangleMesh>(parse(name, tile())).points(side - 1, 0);
  };
  EXPECT_DOUBLE_EQ(width("N10W020.hgt"), width("s11e130.hgt"));  // both from 10 to 11 degrees
  EXPECT_GT(width("N00E000.hgt"), width("N10W020.hgt"));
}

TEST(Hgt, PointsWithoutHeightBelongToNoFace) {
  std::string bytes = tile();
  set_void(bytes, 0, 0);
  set_void(bytes, 600, 601);
  const TriangleMesh mesh = std::get<TriangleMesh>(parse("N57E011.hgt", bytes));
  EXPECT_EQ(mesh.points.rows(), side * side);
  EXPECT_TRUE(mesh.points.allFinite());
  const Index inner = 600 * side + 601;
  // A corner has one or two triangles, an inner point four or eight.
  const Eigen::Index missing = 2 * (side - 1) * (side - 1) - mesh.triangles.rows();
  EXPECT_TRUE(missing == 5 || missing == 6 || missing == 9 || missing == 10) << missing;
  EXPECT_FALSE((mesh.triangles.array() == 0).any());
  EXPECT_FALSE((mesh.triangles.array() == inner).any());
}

TEST(Hgt, RefusalsNameTheCause) {
  expect_refused("N57E011.hgt", "1234", "2884802");
  expect_refused("N57E011.hgt", "", "2884802");
  expect_refused("terrain.hgt", std::string(2 * side * side, '\0'), "must contain its position");
  expect_refused("N99E011.hgt", std::string(2 * side * side, '\0'), "must contain its position");
}

}  // namespace
}  // namespace geodome::internal
