#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

const std::string vertex_header = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";
const std::string face_header = "element face 2\nproperty list uchar int vertex_indices\n";
const std::string vertex_text = "0 0 0\n1 0 0\n1 1 0\n0 1 0\n";
const std::string face_text = "3 0 1 2\n3 0 2 3\n";

std::string ascii(const std::string& elements, const std::string& body) {
  return "ply\nformat ascii 1.0\n" + elements + "end_header\n" + body;
}

const std::string whole = ascii(vertex_header + face_header, vertex_text + face_text);

/// Bytes of numbers in either order.
struct Packer {
  bool big = false;
  std::string bytes = {};

  template <typename Value>
  Packer& operator<<(Value value) {
    char raw[sizeof(Value)];
    std::memcpy(raw, &value, sizeof(Value));
    if (big) std::reverse(raw, raw + sizeof(Value));
    bytes.append(raw, sizeof(Value));
    return *this;
  }
};

std::string binary_ply(bool big, const std::string& elements, const std::string& body) {
  return std::string("ply\nformat ") + (big ? "binary_big_endian" : "binary_little_endian") + " 1.0\n" +
         elements + "end_header\n" + body;
}

void expect_ply_square(const std::string& bytes) {
  const Shape shape = parse("f.ply", bytes);
  ASSERT_TRUE(std::holds_alternative<TriangleMesh>(shape));
  const auto& mesh = std::get<TriangleMesh>(shape);
  EXPECT_EQ(mesh.points, (Points(4, 3) << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0).finished());
  EXPECT_EQ(mesh.triangles, (Triangles(2, 3) << 0, 1, 2, 0, 2, 3).finished());
}

template <typename Coordinate, typename Count, typename Corner>
void expect_types(const std::string& coordinate, const std::string& count, const std::string& corner) {
  for (bool big : {false, true}) {
    Packer body{big};
    for (int value : {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}) body << static_cast<Coordinate>(value);
    for (int face : {0, 1}) {
      body << static_cast<Count>(3);
      for (int vertex : {0, 1 + face, 2 + face}) body << static_cast<Corner>(vertex);
    }
    const std::string elements = "element vertex 4\nproperty " + coordinate + " x\nproperty " + coordinate +
                                 " y\nproperty " + coordinate + " z\nelement face 2\nproperty list " + count +
                                 " " + corner + " vertex_index\n";
    expect_ply_square(binary_ply(big, elements, body.bytes));
  }
}

TEST(Ply, ReadsEveryTypeInBothByteOrders) {
  expect_types<std::int8_t, std::int8_t, std::int8_t>("char", "int8", "char");
  expect_types<std::uint8_t, std::uint8_t, std::uint8_t>("uchar", "uint8", "uchar");
  expect_types<std::int16_t, std::int16_t, std::int16_t>("short", "int16", "short");
  expect_types<std::uint16_t, std::uint16_t, std::uint16_t>("ushort", "uint16", "ushort");
  expect_types<std::int32_t, std::int32_t, std::int32_t>("int", "int32", "int");
  expect_types<std::uint32_t, std::uint32_t, std::uint32_t>("uint", "uint32", "uint");
  expect_types<float, std::uint8_t, float>("float", "uchar", "float32");
  expect_types<double, std::uint8_t, double>("double", "uchar", "float64");
}

TEST(Ply, ReadsText) {
  expect_ply_square(whole);
  std::string dos = whole;
  for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2)
    dos.replace(at, 1, "\r\n");
  expect_ply_square(dos);
  expect_ply_square(ascii("comment a b\nobj_info c\n\n" + vertex_header + "comment d\n" + face_header,
                          vertex_text + face_text));
}

TEST(Ply, SkipsFurtherPropertiesAndElementsInAnyOrder) {
  const std::string elements =
      "element camera 2\nproperty float focus\nproperty list uchar float matrix\nelement empty 4000000\n"
      "element face 2\nproperty uchar red\nproperty list uchar int vertex_indices\nproperty list uchar float "
      "texcoord\n"
      "element vertex 4\nproperty uchar red\nproperty float z\nproperty list uchar short tags\nproperty "
      "float y\n"
      "property double x\nelement edge 1\nproperty int a\nproperty int b\n";
  expect_ply_square(ascii(elements,
                          "0.5 2 1 2\n0.5 0\n9 3 0 1 2 2 .5 .5\n9 3 0 2 3 0\n"
                          "7 0 0 0 0\n7 0 2 5 6 0 1\n7 0 0 1 1\n7 0 0 1 0\n0 1\n"));
  for (bool big : {false, true}) {
    Packer body{big};
    const auto byte = [](int value) { return static_cast<std::uint8_t>(value); };
    body << 0.5f << byte(2) << 1.f << 2.f << 0.5f << byte(0);
    body << byte(9) << byte(3) << 0 << 1 << 2 << byte(2) << .5f << .5f;
    body << byte(9) << byte(3) << 0 << 2 << 3 << byte(0);
    body << byte(7) << 0.f << byte(0) << 0.f << 0.0;
    body << byte(7) << 0.f << byte(2) << std::int16_t{5} << std::int16_t{6} << 0.f << 1.0;
    body << byte(7) << 0.f << byte(0) << 1.f << 1.0;
    body << byte(7) << 0.f << byte(0) << 1.f << 0.0;
    body << 0 << 1;
    expect_ply_square(binary_ply(big, elements, body.bytes));
  }
}

TEST(Ply, ReadsPolygonsAndClouds) {
  const auto mesh = std::get<PolygonMesh>(
      parse("f.ply", ascii(vertex_header + face_header, vertex_text + "4 0 1 2 3\n3 0 1 2\n")));
  EXPECT_EQ(mesh.offsets, (std::vector<std::int64_t>{0, 4, 7}));
  const std::string normals =
      "element vertex 1\nproperty float x\nproperty float nx\nproperty float y\nproperty float ny\n"
      "property float z\nproperty float nz\nelement face 0\nproperty list uchar int vertex_indices\n";
  const auto cloud = std::get<PointCloud>(parse("f.ply", ascii(normals, "1 4 2 5 3 6\n")));
  EXPECT_EQ(cloud.points, (Points(1, 3) << 1, 2, 3).finished());
  EXPECT_EQ(cloud.normals, (Points(1, 3) << 4, 5, 6).finished());
}

TEST(Ply, ExpandsTriangleStrips) {
  const std::string header =
      "element vertex 6\nproperty float x\nproperty float y\nproperty float z\n"
      "element tristrips 2\nproperty list int int vertex_indices\n";
  const std::string points = "0 0 0\n0 1 0\n1 0 0\n1 1 0\n2 0 0\n2 1 0\n";
  // Every second triangle is turned over; -1 starts anew; a repeated corner makes no triangle but counts as a
  // turn.
  const auto mesh =
      std::get<TriangleMesh>(parse("f.ply", ascii(header, points + "8 0 1 2 3 -1 2 3 4\n5 0 1 1 2 3\n")));
  EXPECT_EQ(mesh.triangles, (Triangles(4, 3) << 0, 1, 2, 2, 1, 3, 2, 3, 4, 1, 2, 3).finished());
}

TEST(Ply, StripsHaveOneOrientation) {
  std::string body;
  for (int i = 0; i < 10; ++i) body += std::to_string(i / 2) + " " + std::to_string(i % 2) + " 0\n";
  body += "10 0 1 2 3 4 5 6 7 8 9\n";
  const auto mesh = std::get<TriangleMesh>(
      parse("f.ply", ascii("element vertex 10\nproperty float x\nproperty float y\nproperty float z\n"
                           "element tristrips 1\nproperty list int int vertex_indices\n",
                           body)));
  ASSERT_EQ(mesh.triangles.rows(), 8);
  for (Eigen::Index f = 0; f < 8; ++f) {
    const Eigen::RowVector3d a = mesh.points.row(mesh.triangles(f, 0));
    const Eigen::RowVector3d b = mesh.points.row(mesh.triangles(f, 1));
    const Eigen::RowVector3d c = mesh.points.row(mesh.triangles(f, 2));
    EXPECT_LT((b - a).x() * (c - a).y() - (b - a).y() * (c - a).x(), 0) << f;
  }
}

TEST(Ply, RefusesBrokenHeaders) {
  expect_refused("f.ply", "plx\n", "begins with the line 'ply'");
  expect_refused("f.ply", "ply\nformat ascii 1.0\n", "ends where the line end_header");
  expect_refused("f.ply", "ply\nend_header\n", "no format line");
  expect_refused("f.ply", "ply\nformat binary 1.0\nend_header\n", "unknown encoding 'binary'");
  expect_refused("f.ply", ascii("property float x\n", ""), "before the first element");
  expect_refused("f.ply", ascii("element vertex 1\nproperty real x\n", "0"), "unknown type 'real'");
  expect_refused("f.ply", ascii("element vertex x\n", ""), "should be an integer, not 'x'");
  expect_refused("f.ply", ascii("element vertex -1\n", ""), "-1");
  expect_refused("f.ply", ascii("nonsense\n", ""), "unknown word 'nonsense'");
  expect_refused("f.ply", ascii("element face 1\nproperty list float int vertex_indices\n", "3 0 1 2"),
                 "length of a list");
  expect_refused("f.ply", ascii("element vertex 1\nproperty float x\nproperty float y\n", "0 0\n"),
                 "lack a property");
  expect_refused("f.ply",
                 ascii("element vertex 1\nproperty list uchar float x\nproperty float y\nproperty float z\n",
                       "1 0 0 0\n"),
                 "property x of the vertices is a list");
  expect_refused("f.ply", ascii(vertex_header + vertex_header, vertex_text + vertex_text),
                 "two vertex elements");
  expect_refused("f.ply", ascii(vertex_header + "element face 1\nproperty int a\n", vertex_text + "0\n"),
                 "no list named vertex_indices");
  expect_refused("f.ply", ascii("", ""), "contains no vertices");
}

TEST(Ply, RefusesCountsTheFileCannotHold) {
  const std::string vertices =
      "element vertex 2000000000\nproperty float x\nproperty float y\nproperty float z\n";
  expect_refused("f.ply", ascii(vertices, vertex_text), "declares 2000000000 rows of element vertex");
  expect_refused("f.ply", binary_ply(false, vertices, std::string(900, 'x')),
                 "declares 2000000000 rows of element vertex");
  expect_refused("f.ply",
                 binary_ply(true, "element vertex 4294967295\nproperty char x\n", std::string(900, 'x')),
                 "4294967295");
  expect_refused(
      "f.ply",
      binary_ply(false, "element other 2000000000\nproperty list uchar int a\n", std::string(900, 'x')),
      "declares 2000000000 rows of element other");
  const std::string faces = "element face 1\nproperty list uint int vertex_indices\n";
  expect_refused("f.ply", binary_ply(false, faces, std::string("\xff\xff\xff\xff") + std::string(12, '\0')),
                 "declares 4294967295 list entries");
  expect_refused("f.ply",
                 binary_ply(false, "element face 1\nproperty list char int vertex_indices\n",
                            std::string("\xff") + std::string(12, '\0')),
                 "has the length -1");
  expect_refused("f.ply", ascii(faces, "2000000000 0 1 2\n"), "declares 2000000000 list entries");
}

TEST(Ply, RefusesBrokenData) {
  const auto body = [](const std::string& text) { return ascii(vertex_header + face_header, text); };
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n3 0 1 4\n"),
                 "face 1 refers to vertex 4, outside [0, 4)");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n3 0 1 -1\n"), "vertex number -1");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n3 0 1 1.5\n"), "vertex number 1.5");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n3 0 1 nan\n"), "vertex number nan");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n2 0 1\n"), "face 1 has 2 corners");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n          "), "the file ends");
  expect_refused("f.ply", body(vertex_text + "3 0 1 2\n3 0 1 2\n3 0 1 2\n"), "data after the last element");
  expect_refused("f.ply", body("0 0 x\n" + vertex_text + face_text), "should be a number, not 'x'");
}

}  // namespace
}  // namespace geodome
