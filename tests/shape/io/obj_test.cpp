#include <gtest/gtest.h>

#include <cmath>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

const std::string obj_square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

Triangles triangles_of(const std::string& text) {
  return std::get<TriangleMesh>(parse("f.obj", text)).triangles;
}

TEST(Obj, EveryFormOfACornerNamesTheSameVertex) {
  const Triangles expected = (Triangles(2, 3) << 0, 1, 2, 0, 2, 3).finished();
  const std::string extras = "vt 0 0\nvn 0 0 1\n";
  for (const char* faces :
       {"f 1 2 3\nf 1 3 4\n", "f 1/1 2/1 3/1\nf 1/1 3/1 4/1", "f 1//1 2//1 3//1\nf 1//1 3//1 4//1\n",
        "f 1/1/1 2/1/1 3/1/1\r\nf 1/1/1 3/1/1 4/1/1\r\n", "f -4 -3 -2\nf -4/-1 -2/-1 -1/-1\n",
        "f 1/ 2/ 3/\nf 1 3// 4/1\n", "f 1 \\\n 2 3\nf\t1  3\\\r\n 4 # a comment\n", "f 1 2 3\rf 1 3 4\r",
        "fo 1 2 3\nfo 1 3 4\n"})
    EXPECT_EQ(triangles_of(obj_square + extras + faces), expected) << faces;
}

TEST(Obj, NegativeNumbersCountFromTheVerticesSoFar) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n";
  EXPECT_EQ(triangles_of(text), (Triangles(2, 3) << 0, 1, 2, 3, 4, 5).finished());
}

TEST(Obj, AFaceMayComeBeforeItsVertices) {
  EXPECT_EQ(triangles_of("f 1 2 3\n" + obj_square), (Triangles(1, 3) << 0, 1, 2).finished());
}

TEST(Obj, PolygonsMakeAPolygonMesh) {
  const auto mesh =
      std::get<PolygonMesh>(parse("f.obj", obj_square + "v 2 2 2\nf 1 2 3\nf 1 2 3 4\nf 1 2 3 4 5\n"));
  EXPECT_EQ(mesh.offsets, (std::vector<std::int64_t>{0, 3, 7, 12}));
  EXPECT_EQ(mesh.corners, (std::vector<Index>{0, 1, 2, 0, 1, 2, 3, 0, 1, 2, 3, 4}));
}

TEST(Obj, CoordinatesMayBeFollowedByWeightOrColour) {
  const Shape shape = parse("f.obj", "v 1 2 3 1.0\nv 4 5 6 0.1 0.2 0.3\nv -7e-1 +8 .9\n");
  EXPECT_EQ(std::get<PointCloud>(shape).points, (Points(3, 3) << 1, 2, 3, 4, 5, 6, -0.7, 8, 0.9).finished());
}

TEST(Obj, WithoutFacesItIsACloudWithNormalsIfEachPointHasOne) {
  const auto with = std::get<PointCloud>(parse("f.obj", "v 1 2 3\nvn 0 0 1\nv 4 5 6\nvn 0 1 0\n"));
  EXPECT_EQ(with.normals, (Points(2, 3) << 0, 0, 1, 0, 1, 0).finished());
  EXPECT_EQ(std::get<PointCloud>(parse("f.obj", "v 1 2 3\nvn 0 0 1\nv 4 5 6\n")).normals.rows(), 0);
}

TEST(Obj, SkipsWhatIsNoPartOfTheShape) {
  const std::string text =
      "# comment\nmtllib a.mtl\no thing\ng a b\ns off\nusemtl red\nvt 0 0\nvp 1\nl 1 2\np 1\nunknown 1 2\n";
  EXPECT_EQ(triangles_of(text + obj_square + text + "f 1 2 3\n" + text).rows(), 1);
}

TEST(Obj, KeepsCoordinatesThatAreNotFinite) {
  const auto mesh = std::get<TriangleMesh>(parse("f.obj", "v nan 0 0\nv inf 0 0\nv 0 -inf 0\nf 1 2 3\n"));
  EXPECT_TRUE(std::isnan(mesh.points(0, 0)));
  EXPECT_EQ(mesh.points(1, 0), infinity);
  EXPECT_EQ(mesh.points(2, 1), -infinity);
}

TEST(Obj, RefusesBrokenFiles) {
  expect_refused("f.obj", obj_square + "f 1 2 5\n", "face 1 refers to vertex 5, outside [1, 5)");
  expect_refused("f.obj", obj_square + "f 1 2 3 4\nf 1 2 9\n", "face 2 refers to vertex 9");
  expect_refused("f.obj", obj_square + "f 0 1 2\n", "line 5: vertex 0 does not exist");
  expect_refused("f.obj", obj_square + "f -5 1 2\n", "line 5: vertex -5 counts back beyond the first of 4");
  expect_refused("f.obj", obj_square + "f 1 2 99999999999\n", "vertex 99999999999 is beyond");
  expect_refused("f.obj", obj_square + "f 1 2\n", "line 5: a face has 2 corners");
  expect_refused("f.obj", obj_square + "f\n", "a face has 0 corners");
  expect_refused("f.obj", obj_square + "f a b c\n", "not 'a'");
  expect_refused("f.obj", obj_square + "f 1.5 2 3\n", "not '1.5'");
  expect_refused("f.obj", obj_square + "f /1 /2 /3\n", "not '/1'");
  expect_refused("f.obj", "v 1 2\nv 1 2 3\n", "line 1: a vertex has 2 numbers");
  expect_refused("f.obj", "v 1 2 x\n", "should be a number, not 'x'");
  expect_refused("f.obj", "# nothing\n", "contains no vertices");
  expect_refused("f.obj", "", "contains no vertices");
}

}  // namespace
}  // namespace geodome
