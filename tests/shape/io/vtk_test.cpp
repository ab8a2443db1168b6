#include <gtest/gtest.h>

#include "bytes.h"
#include "file_support.h"
#include "shape/small_shapes.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::identical;
using testing::parse;

/// Writes the parts of a legacy file, as text or binary.
class Writer {
 public:
  explicit Writer(bool binary, const std::string& version = "4.2")
      : binary_(binary),
        bytes_(text("# vtk DataFile Version ", version, "\na title\n", binary ? "BINARY" : "ASCII",
                    "\nDATASET POLYDATA\n")) {}

  Writer& line(const std::string& words) {
    bytes_ += words + "\n";
    return *this;
  }

  template <typename Value>
  Writer& numbers(const std::vector<Value>& values) {
    for (Value value : values) {
      if (binary_) {
        testing::put(bytes_, value, ByteOrder::big);
      } else {
        bytes_ += text(value, " ");
      }
    }
    bytes_ += "\n";
    return *this;
  }

  template <typename Scalar>
  Writer& points(const Points& points, const std::string& type) {
    line(text("POINTS ", points.rows(), " ", type));
    return numbers(std::vector<Scalar>(points.data(), points.data() + points.size()));
  }

  const std::string& bytes() const { return bytes_; }

 private:
  bool binary_;
  std::string bytes_;
};

std::vector<std::int32_t> counted(const PolygonMesh& mesh) {
  std::vector<std::int32_t> numbers;
  for (std::size_t f = 0; f + 1 < mesh.offsets.size(); ++f) {
    numbers.push_back(static_cast<std::int32_t>(mesh.offsets[f + 1] - mesh.offsets[f]));
    numbers.insert(numbers.end(), mesh.corners.begin() + mesh.offsets[f],
                   mesh.corners.begin() + mesh.offsets[f + 1]);
  }
  return numbers;
}

std::string old_form(const PolygonMesh& mesh, bool binary) {
  const std::vector<std::int32_t> cells = counted(mesh);
  return Writer(binary)
      .points<float>(mesh.points, "float")
      .line(text("POLYGONS ", mesh.offsets.size() - 1, " ", cells.size()))
      .numbers(cells)
      .line("POINT_DATA 8\nSCALARS s float\nLOOKUP_TABLE default")
      .bytes();
}

std::string new_form(const PolygonMesh& mesh, bool binary) {
  return Writer(binary, "5.1")
      .line("FIELD FieldData 1")
      .line("time 1 2 double")
      .numbers(std::vector<double>{1, 2})
      .points<double>(mesh.points, "double")
      .line("METADATA\nINFORMATION 1\nNAME a LOCATION b\n")
      .line(text("POLYGONS ", mesh.offsets.size(), " ", mesh.corners.size()))
      .line("OFFSETS vtktypeint64")
      .numbers(mesh.offsets)
      .line("CONNECTIVITY vtktypeint64")
      .numbers(std::vector<std::int64_t>(mesh.corners.begin(), mesh.corners.end()))
      .bytes();
}

TEST(Vtk, ReadsTheSameFacesFromAllFourForms) {
  for (const PolygonMesh& mesh : {testing::cube(), testing::as_polygons(testing::hourglass())}) {
    for (bool binary : {false, true}) {
      for (const std::string& bytes : {old_form(mesh, binary), new_form(mesh, binary)}) {
        for (const char* name : {"f.vtk", "f"}) {
          const Shape shape = parse(name, bytes);
          ASSERT_EQ(face_count(shape), static_cast<std::int64_t>(mesh.offsets.size()) - 1);
          if (const auto* polygons = std::get_if<PolygonMesh>(&shape)) {
            EXPECT_TRUE(identical(polygons->points, mesh.points));
            EXPECT_EQ(polygons->corners, mesh.corners);
            EXPECT_EQ(polygons->offsets, mesh.offsets);
          } else {
            const auto& triangles = std::get<TriangleMesh>(shape).triangles;
            EXPECT_TRUE(std::equal(mesh.corners.begin(), mesh.corners.end(), triangles.data()));
          }
        }
      }
    }
  }
}

TEST(Vtk, UnrollsStripsWithTheirOrientationAndSkipsLines) {
  const Points points = Points::Random(5, 3);
  for (bool binary : {false, true}) {
    const Shape shape = parse("f.vtk", Writer(binary)
                                           .points<float>(points, "float")
                                           .line("VERTICES 1 2")
                                           .numbers(std::vector<std::int32_t>{1, 4})
                                           .line("LINES 1 3")
                                           .numbers(std::vector<std::int32_t>{2, 0, 1})
                                           .line("TRIANGLE_STRIPS 1 6")
                                           .numbers(std::vector<std::int32_t>{5, 0, 1, 2, 3, 4})
                                           .bytes());
    const Triangles expected = (Triangles(3, 3) << 0, 1, 2, 2, 1, 3, 2, 3, 4).finished();
    EXPECT_TRUE(identical(std::get<TriangleMesh>(shape).triangles, expected));
  }
}

TEST(Vtk, PointsAloneAreACloud) {
  const Shape shape = parse("f.vtk", Writer(false).points<double>(Points::Random(4, 3), "double").bytes());
  EXPECT_EQ(std::get<PointCloud>(shape).points.rows(), 4);
}

TEST(Vtk, OtherDatasetsAreRefusedByName) {
  for (const char* kind : {"UNSTRUCTURED_GRID", "STRUCTURED_POINTS", "RECTILINEAR_GRID"}) {
    expect_refused("f.vtk", text("# vtk DataFile Version 3.0\nt\nASCII\nDATASET ", kind, "\n"), kind);
  }
}

TEST(Vtk, RefusalsNameTheCause) {
  const std::string points =
      "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n0 0 0 1 0 0 0 1 0\n";
  expect_refused("f.vtk", points + "POLYGONS 1 4\n3 0 1 3\n", "vertex 3, out of range [0, 3)");
  expect_refused("f.vtk", points + "POLYGONS 1 4\n4 0 1 2\n", "exceeds the 4 numbers");
  expect_refused("f.vtk", points + "POLYGONS 1 4\n2 0 1 2\n", "use 3 of the 4");
  expect_refused("f.vtk", points + "POLYGONS 1 3\n2 0 1\n", "fewer than 3");
  expect_refused("f.vtk", points + "POLYGONS 1 4\n3 0 1 1.5\n", "not an integer");
  expect_refused("f.vtk", points + "POLYGONS 1 4\n3 0 1 -1\n", "not an integer");
  expect_refused("f.vtk", points + "POLYGONS 1000000 4000000\n3 0 1 2\n", "declares 4000000");
  expect_refused("f.vtk",
                 points + "POLYGONS 2 3\nOFFSETS vtktypeint64\n0 2\nCONNECTIVITY vtktypeint64\n0 1 2\n",
                 "do not increase from 0 to 3");
  expect_refused("f.vtk", points + "CUBES 1 4\n", "'CUBES' is not a part of polydata");
  expect_refused("f.vtk", "# vtk DataFile Version 3.0\nt\nMORSE\n", "'MORSE', not ASCII or BINARY");
  expect_refused("f.vtk",
                 "# vtk DataFile Version 3.0\nt\nBINARY\nDATASET POLYDATA\nPOINTS 2000000000 double\n1234",
                 "declares 6000000000");
  expect_refused("f.vtk", "# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS 1 string\n1",
                 "'string'");
}

}  // namespace
}  // namespace geodome::internal
