#include <gtest/gtest.h>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

TEST(Xyz, ReadsPointsHoweverTheyAreSeparated) {
  const Points expected = (Points(2, 3) << 1, -2.5, 3e-3, 4, 5, 6).finished();
  for (const char* content : {"1 -2.5 3e-3\n4 5 6\n", "1,-2.5,3e-3\r\n4,5,6", "1, -2.5, +3e-3\n\n4;5;6\n",
                              "# c\n// c\n% c\n  1\t-2.5  3e-3 \t\n4 5 6  ", "2\n1 -2.5 3e-3\n4 5 6\n",
                              "x y z\n1 -2.5 3e-3\n4 5 6\n"}) {
    for (const char* name : {"f.xyz", "f.pts", "f.XYZN"}) {
      const Shape shape = parse(name, content);
      ASSERT_TRUE(std::holds_alternative<PointCloud>(shape)) << content;
      EXPECT_EQ(std::get<PointCloud>(shape).points, expected) << content;
      EXPECT_EQ(std::get<PointCloud>(shape).normals.rows(), 0);
    }
  }
}

TEST(Xyz, SixColumnsAreNormalsUnlessTheyAreColours) {
  const auto normals = std::get<PointCloud>(parse("f.xyz", "1 2 3 0 0 1\n4 5 6 1 0 0\n")).normals;
  EXPECT_EQ(normals, (Points(2, 3) << 0, 0, 1, 1, 0, 0).finished());
  EXPECT_EQ(std::get<PointCloud>(parse("f.xyz", "1 2 3 0 0 1\n4 5 6 128 0 255\n")).normals.rows(), 0);
}

TEST(Xyz, RefusalsNameTheLineAndTheCause) {
  expect_refused("f.xyz", "1 2 3\n4 5\n", "line 2: a point has three numbers (x y z) or six");
  expect_refused("f.xyz", "1 2 3\n1 2 3 0 0 1\n", "line 2: 6 numbers, but the points before have 3");
  expect_refused("f.xyz", "1 2 3\n\nC 5 6\n", "line 3: a point must be three or six numbers");
  expect_refused("f.xyz", "3\n1 2 3\n4 5 6\n", "declares 3 points, but the file contains 2");
  expect_refused("f.xyz", "-3\n1 2 3\n", "invalid number of points");
  expect_refused("f.xyz", "# nothing\n", "no points");
  expect_refused("f.xyz", "", "no points");
}

}  // namespace
}  // namespace geodome
