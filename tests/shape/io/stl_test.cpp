#include <gtest/gtest.h>

#include <cstring>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

std::string facet(const std::string& a, const std::string& b, const std::string& c) {
  return "facet normal 0 0 1\n outer loop\n  vertex " + a + "\n  vertex " + b + "\n  vertex " + c +
         "\n endloop\nendfacet\n";
}

const std::string stl_square = facet("0 0 0", "1 0 0", "1 1 0") + facet("0 0 0", "1 1 0", "0 1 0");

void append_float(std::string& bytes, float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(bits >> (8 * i));
}

std::string binary_stl(const std::vector<std::array<float, 9>>& triangles, std::string header,
                       std::uint32_t count) {
  header.resize(80, ' ');
  for (int i = 0; i < 4; ++i) header += static_cast<char>(count >> (8 * i));
  for (const auto& triangle : triangles) {
    for (int i = 0; i < 3; ++i) append_float(header, 0);
    for (float value : triangle) append_float(header, value);
    header += std::string(2, '\0');
  }
  return header;
}

const std::vector<std::array<float, 9>> square_triangles = {{0, 0, 0, 1, 0, 0, 1, 1, 0},
                                                            {-0.0f, 0, 0, 1, 1, 0, 0, 1, 0}};

void expect_stl_square(const std::string& bytes, const std::string& name = "f.stl") {
  const auto mesh = std::get<TriangleMesh>(parse(name, bytes));
  EXPECT_EQ(mesh.points, (Points(4, 3) << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0).finished());
  EXPECT_EQ(mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 0, 2, 3).finished());
}

TEST(Stl, ReadsText) {
  expect_stl_square("solid a name with facet in it\n" + stl_square + "endsolid a name\n");
  expect_stl_square("solid\r\n" + stl_square + "endsolid");
  expect_stl_square("solid a\n" + facet("0 0 0", "1 0 0", "1 1 0") + "endsolid a\nsolid b\n" +
                    facet("0 0 0", "1 1 0", "0 1 0") + "endsolid b\n");
}

TEST(Stl, MergesByExactPositionInOrderOfFirstOccurrence) {
  const auto mesh =
      std::get<TriangleMesh>(parse("f.stl", "solid\n" + facet("3 0 0", "-0 0 0", "1 1e-300 0") +
                                                facet("0 -0.0 0", "3.0 0 0", "1 0 0") + "endsolid"));
  EXPECT_EQ(mesh.points, (Points(4, 3) << 3, 0, 0, 0, 0, 0, 1, 1e-300, 0, 1, 0, 0).finished());
  EXPECT_EQ(mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 1, 0, 3).finished());
}

TEST(Stl, ReadsBinaryEvenIfItBeginsLikeText) {
  expect_stl_square(binary_stl(square_triangles, "made by hand", 2));
  expect_stl_square(binary_stl(square_triangles, "solid made by hand\nfacet", 2));
  expect_stl_square(binary_stl(square_triangles, "", 2), "no_extension");
  expect_stl_square(binary_stl(square_triangles, "", 2) + "padding");
}

TEST(Stl, MergesManyVertices) {
  // A strip of n triangles has n + 2 vertices.
  std::vector<std::array<float, 9>> strip;
  const auto x = [](int i) { return 0.37f * static_cast<float>(i); };
  for (int i = 0; i < 5000; ++i) strip.push_back({x(i), 0, 0, x(i + 1), 0, 0, x(i + 2), 0, 0});
  const auto mesh = std::get<TriangleMesh>(parse("f.stl", binary_stl(strip, "", 5000)));
  ASSERT_EQ(mesh.points.rows(), 5002);
  for (Index i = 0; i < 5000; ++i)
    for (Index k = 0; k < 3; ++k) ASSERT_EQ(mesh.triangles(i, k), i + k);
}

TEST(Stl, RefusesBrokenText) {
  expect_refused("f.stl", "solid\n" + stl_square, "before 'endsolid'");
  expect_refused("f.stl", "solid\n" + stl_square + "endsolid\nmore", "expected 'solid', found 'more'");
  expect_refused("f.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\n",
                 "expected 'vertex'");
  expect_refused("f.stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 x\n",
                 "line 4: a coordinate should be a number");
  expect_refused("f.stl", "solid\nendsolid\n", "contains no vertices");
}

TEST(Stl, RefusesBinaryWhoseCountIsWrong) {
  expect_refused("f.stl", binary_stl(square_triangles, "", 3), "declares 3 triangles");
  expect_refused("f.stl", binary_stl(square_triangles, "", 4294967295u), "declares 4294967295 triangles");
  expect_refused("f.stl", binary_stl(square_triangles, "", 1), "bytes for 2");
  expect_refused("f.stl", binary_stl({}, "", 0), "contains no vertices");
  expect_refused("f.stl", "short", "the file ends");
}

}  // namespace
}  // namespace geodome
