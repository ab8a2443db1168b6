#include "geodome/shape/io/gifti.h"

#include <gtest/gtest.h>

#include "bytes.h"
#include "file_support.h"
#include "gzip.h"
#include "shape/small_shapes.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::identical;
using testing::parse;

struct Style {
  std::string encoding = "ASCII";
  std::string endian = "LittleEndian";
  std::string index_order = "RowMajorOrder";
  std::string triangle_type = "NIFTI_TYPE_INT32";
  bool triangles_first = false;
  bool cdata = false;
};

template <typename Value, typename Matrix>
std::string encoded(const Matrix& matrix, const Style& style) {
  const bool big = style.endian == "BigEndian" || style.endian == "GIFTI_ENDIAN_BIG";
  std::string bytes;
  std::string numbers;
  for (Eigen::Index i = 0; i < matrix.size(); ++i) {
    const bool rows = style.index_order == "RowMajorOrder";
    const auto value =
        rows ? matrix(i / matrix.cols(), i % matrix.cols()) : matrix(i % matrix.rows(), i / matrix.rows());
    testing::put(bytes, static_cast<Value>(value), big ? ByteOrder::big : ByteOrder::little);
    numbers += text(value, i % 3 == 2 ? "\n" : " ");
  }
  if (style.encoding == "ASCII") return numbers;
  return testing::base64(style.encoding == "Base64Binary" ? bytes : testing::gzip(bytes));
}

std::string data_array(const std::string& intent, const std::string& type, Eigen::Index rows,
                       const Style& style, const std::string& data, const std::string& columns = "3") {
  return text("<DataArray Intent=\"", intent, "\" DataType=\"", type, "\" ArrayIndexingOrder=\"",
              style.index_order, "\" Dimensionality=\"2\" Dim0=\"", rows, "\" Dim1=\"", columns,
              "\" Encoding=\"", style.encoding, "\" Endian=\"", style.endian,
              "\" ExternalFileName=\"\" ExternalFileOffset=\"\">\n<MetaData><MD><Name>",
              "<![CDATA[<Data>]]></Name></MD></MetaData><CoordinateSystemTransformMatrix><MatrixData>1 0 0 0",
              "</MatrixData></CoordinateSystemTransformMatrix>\n<Data>", style.cdata ? "<![CDATA[" : "", data,
              style.cdata ? "]]>" : "", "</Data></DataArray>\n");
}

std::string document(const std::string& arrays) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE GIFTI SYSTEM \"http://x/gifti.dtd\">\n"
         "<GIFTI Version=\"1.0\" NumberOfDataArrays=\"2\">\n<MetaData/>\n<LabelTable/>\n" +
         arrays + "</GIFTI>\n";
}

std::string surface(const TriangleMesh& mesh, const Style& style) {
  const std::string points = data_array("NIFTI_INTENT_POINTSET", "NIFTI_TYPE_FLOAT32", mesh.points.rows(),
                                        style, encoded<float>(mesh.points, style));
  const std::string corners = style.triangle_type == "NIFTI_TYPE_INT64"
                                  ? encoded<std::int64_t>(mesh.triangles, style)
                                  : encoded<std::int32_t>(mesh.triangles, style);
  const std::string triangles =
      data_array("NIFTI_INTENT_TRIANGLE", style.triangle_type, mesh.triangles.rows(), style, corners);
  return document(style.triangles_first ? triangles + points : points + triangles);
}

TEST(Gifti, EveryWayToWriteTheSameSurface) {
  const TriangleMesh mesh = testing::hourglass();
  for (const char* encoding : {"ASCII", "Base64Binary", "GZipBase64Binary"}) {
    for (const char* endian : {"LittleEndian", "BigEndian", "GIFTI_ENDIAN_LITTLE", "GIFTI_ENDIAN_BIG"}) {
      for (const char* order : {"RowMajorOrder", "ColumnMajorOrder"}) {
        for (const char* type : {"NIFTI_TYPE_INT32", "NIFTI_TYPE_UINT32", "NIFTI_TYPE_INT64"}) {
          for (bool flag : {false, true}) {
            const Style style{encoding, endian, order, type, flag, flag};
            const Shape shape = parse("f.gii", surface(mesh, style));
            ASSERT_TRUE(std::holds_alternative<TriangleMesh>(shape));
            EXPECT_TRUE(identical(std::get<TriangleMesh>(shape).points, mesh.points)) << surface(mesh, style);
            EXPECT_TRUE(identical(std::get<TriangleMesh>(shape).triangles, mesh.triangles))
                << surface(mesh, style);
          }
        }
      }
    }
  }
}

TEST(Gifti, IsRecognisedByContentAndThroughGzip) {
  const std::string bytes = surface(testing::tetrahedron(), {});
  for (const char* name : {"f", "f.xml", "f.off"}) EXPECT_EQ(face_count(parse(name, bytes)), 4) << name;
  EXPECT_EQ(face_count(parse("f.gii.gz", testing::gzip(bytes))), 4);
}

TEST(Gifti, OtherArraysAreNotMistakenForTheSurface) {
  const std::string values = data_array("NIFTI_INTENT_SHAPE", "NIFTI_TYPE_FLOAT32", 4, {}, "1 2 3 4", "1");
  std::string bytes = surface(testing::tetrahedron(), {});
  bytes.insert(bytes.find("<DataArray"), values);
  EXPECT_EQ(face_count(parse("f.gii", bytes)), 4);
  EXPECT_EQ(parse_gifti({"f.gii", "gii", bytes}).size(), 3u);
}

TEST(Gifti, RefusalsNameTheCause) {
  const TriangleMesh mesh = testing::tetrahedron();
  const std::string good = surface(mesh, {});
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string bytes = good;
    return bytes.replace(bytes.find(from), from.size(), to);
  };
  expect_refused("f.gii", changed("\"ASCII\"", "\"ExternalFileBinary\""), "stored in another file");
  expect_refused("f.gii", changed("\"ASCII\"", "\"Morse\""), "Encoding 'Morse' is not known");
  expect_refused("f.gii", changed("NIFTI_INTENT_TRIANGLE", "NIFTI_INTENT_SHAPE"),
                 "no array of intent NIFTI_INTENT_TRIANGLE");
  expect_refused("f.gii", changed("NIFTI_INTENT_TRIANGLE", "NIFTI_INTENT_POINTSET"), "more than one array");
  expect_refused("f.gii", changed("NIFTI_TYPE_FLOAT32", "NIFTI_TYPE_COMPLEX64"), "NIFTI_TYPE_COMPLEX64");
  expect_refused("f.gii", changed("Dim0=\"4\"", "Dim0=\"5\""),
                 "15 numbers are declared, more than 24 bytes can hold");
  expect_refused("f.gii", changed("Dim0=\"4\"", "Dim0=\"3\""), "more than the 9 numbers");
  expect_refused("f.gii", changed("Dim0=\"4\"", "Dim0=\"2000000000\""), "6000000000 numbers are declared");
  expect_refused("f.gii", changed("Dim0=\"4\"", "Dim0=\"99999999999\""), "too large");
  expect_refused("f.gii", changed("Dim0=\"4\"", "Dim0=\"-4\""), "not a size");
  expect_refused("f.gii", changed("Dim0=\"4\" Dim1=\"3\"", "Dim0=\"6\" Dim1=\"2\""), "2 columns, not 3");
  expect_refused("f.gii", changed("0 2 1\n", "0 2 9\n"),
                 "triangle 0 refers to vertex 9, out of range [0, 4)");
  expect_refused("f.gii", changed("0 2 1\n", "0 2 1.5\n"), "1.5");
  expect_refused("f.gii", changed("0 2 1\n", "0 2    \n"), "11 numbers where 12 are declared");
  expect_refused("f.gii", changed("0 2 1\n", "0 2 x\n"), "number 2 cannot be read");
}

TEST(Gifti, HostileSizesOfPackedArraysAreRefusedUnread) {
  for (const char* encoding : {"Base64Binary", "GZipBase64Binary"}) {
    std::string bytes = surface(testing::tetrahedron(), Style{encoding});
    const std::string size = "Dim0=\"4\" Dim1=\"3\"";
    bytes.replace(bytes.find(size), size.size(), "Dim0=\"2147483647\" Dim1=\"2147483647\"");
    expect_refused("f.gii", bytes, "");
  }
}

}  // namespace
}  // namespace geodome::internal
