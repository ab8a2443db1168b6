#include <gtest/gtest.h>

#include "bytes.h"
#include "file_support.h"
#include "shape/small_shapes.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::identical;
using testing::parse;
using testing::put;

constexpr ByteOrder big = ByteOrder::big;

std::string triangles(const TriangleMesh& mesh, const std::string& comments = "created by hand\n\n") {
  std::string bytes = "\xFF\xFF\xFE" + comments;
  put(bytes, static_cast<std::int32_t>(mesh.points.rows()), big);
  put(bytes, static_cast<std::int32_t>(mesh.triangles.rows()), big);
  for (double x : mesh.points.reshaped<Eigen::RowMajor>()) put(bytes, static_cast<float>(x), big);
  for (Index v : mesh.triangles.reshaped<Eigen::RowMajor>()) put(bytes, v, big);
  return bytes;
}

void put_three(std::string& bytes, unsigned value) {
  for (int shift : {16, 8, 0}) bytes += static_cast<char>(value >> shift);
}

std::string quads(const PolygonMesh& mesh, bool floats) {
  std::string bytes = floats ? "\xFF\xFF\xFD" : "\xFF\xFF\xFF";
  put_three(bytes, static_cast<unsigned>(mesh.points.rows()));
  put_three(bytes, static_cast<unsigned>(mesh.offsets.size() - 1));
  for (double x : mesh.points.reshaped<Eigen::RowMajor>()) {
    if (floats) {
      put(bytes, static_cast<float>(x), big);
    } else {
      put(bytes, static_cast<std::int16_t>(100 * x), big);
    }
  }
  for (Index v : mesh.corners) put_three(bytes, static_cast<unsigned>(v));
  return bytes;
}

TEST(FreeSurfer, ReadsTrianglesWhateverTheName) {
  const TriangleMesh mesh = testing::hourglass();
  for (const char* name : {"lh.pial", "surface", "f.obj"}) {
    for (const char* comments : {"created by hand\n\n", "\n\n", "one\ntwo\n"}) {
      const Shape shape = parse(name, triangles(mesh, comments) + "trailing tags are skipped");
      EXPECT_TRUE(identical(std::get<TriangleMesh>(shape).points, mesh.points));
      EXPECT_TRUE(identical(std::get<TriangleMesh>(shape).triangles, mesh.triangles));
    }
  }
}

TEST(FreeSurfer, ReadsBothQuadForms) {
  const PolygonMesh mesh = testing::cube();
  for (bool floats : {false, true}) {
    const Shape shape = parse("lh.orig", quads(mesh, floats));
    EXPECT_TRUE(identical(std::get<PolygonMesh>(shape).points, mesh.points));
    EXPECT_EQ(std::get<PolygonMesh>(shape).corners, mesh.corners);
    EXPECT_EQ(std::get<PolygonMesh>(shape).offsets, mesh.offsets);
  }
}

TEST(FreeSurfer, RefusalsNameTheCause) {
  TriangleMesh mesh = testing::tetrahedron();
  mesh.triangles(2, 1) = 4;
  expect_refused("lh.white", triangles(mesh), "face 2 refers to vertex 4");
  mesh.triangles(2, 1) = -1;
  expect_refused("lh.white", triangles(mesh), "face 2 refers to vertex -1");
  expect_refused("lh.white", "\xFF\xFF\xFE no lines", "comment lines");
  for (std::int32_t size : {-1, 5000, 2147483647}) {
    for (std::size_t place : {0, 4}) {
      std::string bytes = triangles(testing::tetrahedron(), "\n\n");
      std::string number;
      put(number, size, big);
      expect_refused("lh.white", bytes.replace(5 + place, 4, number), "declares");
    }
  }
}

}  // namespace
}  // namespace geodome::internal
