#include <gtest/gtest.h>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

const std::string points = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const std::string faces = "3 0 1 2\n3 0 2 3\n";

void expect_off_square(const std::string& text) {
  const Shape shape = parse("f.off", text);
  ASSERT_TRUE(std::holds_alternative<TriangleMesh>(shape)) << text;
  const auto& mesh = std::get<TriangleMesh>(shape);
  EXPECT_EQ(mesh.points, (Points(4, 3) << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0).finished()) << text;
  EXPECT_EQ(mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 0, 2, 3).finished()) << text;
}

TEST(Off, ReadsTheHeaderInEveryLayout) {
  for (const char* header : {"OFF\n4 2 5\n", "OFF 4 2 5\n", "OFF\n4 2\n", "OFF\n4\n2\n5\n", "4 2 5\n",
                             "# made by hand\nOFF # text\n\n# counts\n4 2 0 # more\n\n", "OFF\r\n4 2 5\r\n"})
    expect_off_square(header + points + faces);
}

TEST(Off, IsReadWordByWord) {
  expect_off_square("OFF 4 2 0 0 0 0 1 0 0 1 1 0 0 1 0\n3\n0 1\n2\n3 0 2 3");
  expect_off_square("OFF 4 2 0\n0 0 0 1 0 0\n1 1 0 0 1 0\n" + faces);
  expect_off_square("OFF\n4 2 0\n0 0\n0 1 # half\n0 0\n\n1 1 0\n0 1 0\n" + faces);
}

TEST(Off, SkipsColoursOfFaces) {
  expect_off_square("OFF\n4 2 0\n" + points + "3 0 1 2 255 0 0\n3 0 2 3 0.1 0.2 0.3 1 # red\n");
}

TEST(Off, ReadsTheVariantsWithColoursNormalsAndTexture) {
  expect_off_square("COFF\n4 2 0\n0 0 0 255 0 0 255\n1 0 0 1 2 3 4\n1 1 0 1 2 3 4\n0 1 0 1 2 3 4\n" + faces);
  expect_off_square("COFF\n4 2 0\n0 0 0 255 0 0\n1 0 0 1 2 3\n1 1 0 1 2 3\n0 1 0 1 2 3\n" + faces);
  expect_off_square("NOFF\n4 2 0\n0 0 0 0 0 1\n1 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 1\n" + faces);
  expect_off_square(
      "CNOFF\n4 2 0\n0 0 0 0 0 1 9 9 9\n1 0 0 0 0 1 9 9 9\n1 1 0 0 0 1 9 9 9\n0 1 0 0 0 1 9 9 9\n" + faces);
  expect_off_square("STOFF\n4 2 0\n0 0 0 .5 .5\n1 0 0 .5 .5\n1 1 0 .5 .5\n0 1 0 .5 .5\n" + faces);
  expect_off_square(
      "STCNOFF\n4 2 0\n0 0 0 0 0 1 9 9 9 9 .5 .5\n1 0 0 0 0 1 9 9 9 9 .5 .5\n1 1 0 0 0 1 9 9 9 9 .5 .5\n"
      "0 1 0 0 0 1 9 9 9 9 .5 .5\n" +
      faces);
}

TEST(Off, ReadsColoursTheKeywordDoesNotMention) {
  expect_off_square("OFF\n4 2 0\n0 0 0 255 0 0\n1 0 0 1 2 3\n1 1 0 1 2 3\n0 1 0 1 2 3\n" + faces);
}

TEST(Off, KeepsNormalsOfACloud) {
  const auto cloud = std::get<PointCloud>(parse("f.off", "NOFF\n2 0 0\n1 2 3 0 0 1\n4 5 6 0 1 0\n"));
  EXPECT_EQ(cloud.points, (Points(2, 3) << 1, 2, 3, 4, 5, 6).finished());
  EXPECT_EQ(cloud.normals, (Points(2, 3) << 0, 0, 1, 0, 1, 0).finished());
}

TEST(Off, PolygonsMakeAPolygonMesh) {
  const auto mesh = std::get<PolygonMesh>(parse("f.off", "OFF\n4 2 0\n" + points + "4 0 1 2 3\n3 0 1 2\n"));
  EXPECT_EQ(mesh.offsets, (std::vector<std::int64_t>{0, 4, 7}));
}

TEST(Off, RefusesBrokenFiles) {
  expect_refused("f.off", "OFF\n4 2 0\n" + points + "3 0 1 2\n3 0 1 4\n",
                 "face 1 refers to vertex 4, outside [0, 4)");
  expect_refused("f.off", "OFF\n4 2 0\n" + points + "3 0 1 2\n3 0 1 -1\n", "line 8: a corner is -1");
  expect_refused("f.off", "OFF\n4 1 0\n" + points + "2 0 1\n", "face 0 has 2 corners");
  expect_refused("f.off", "OFF\n4 2 0\n" + points + "3 0 1 2\n           ", "the file ends");
  expect_refused("f.off", "OFF\n5 2 0\n" + points + faces, "number of vertices in the header is wrong");
  expect_refused("f.off", "OFF\n4 1 0\n" + points + faces, "data after the declared 4 vertices and 1 faces");
  expect_refused("f.off", "OFF\n4 2 0\n" + points + "3 0 1 2\n3 0 1.5 2\n", "should be an integer");
  expect_refused("f.off", "OFF\n4 2 0\n0 0 zero\n1 0 0\n1 1 0\n0 1 0\n" + faces,
                 "should be a number, not 'zero'");
  expect_refused("f.off", "OFF\n-4 2 0\n" + points + faces, "-4");
  expect_refused("f.off", "OFF\n0 0 0\n", "contains no vertices");
  expect_refused("f.off", "OFF BINARY\n4 2 0\n", "binary OFF is not supported");
  expect_refused("f.off", "4OFF\n1 0 0\n0 0 0 0\n", "three dimensions");
  expect_refused("f.off", "", "the file ends");
}

TEST(Off, RefusesCountsTheFileCannotHold) {
  expect_refused("f.off", "OFF\n2000000000 2 0\n" + points + faces, "declares 2000000000 vertices");
  expect_refused("f.off", "OFF\n4 2000000000 0\n" + points + faces, "declares 2000000000 faces");
  expect_refused("f.off", "OFF\n4 2 0\n" + points + "3 0 1 2\n1999999999 0 1 2\n",
                 "declares 1999999999 corners");
  expect_refused("f.off", "OFF\n99999999999 2 0\n" + points + faces, "99999999999");
}

}  // namespace
}  // namespace geodome
