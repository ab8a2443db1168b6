/// The readers of brain surfaces, VTK, points, graphs and samples on broken files.

#include <gtest/gtest.h>

#include "broken_files.h"
#include "bytes.h"
#include "gzip.h"

namespace geodome::internal {
namespace {

using testing::base64;
using testing::gzip;
using testing::put;
using testing::SmallFile;

template <typename Value>
std::string packed(const std::vector<Value>& values, ByteOrder order) {
  std::string bytes;
  for (Value value : values) put(bytes, value, order);
  return bytes;
}

const std::vector<float> points = {0, 0, 0, 1, 0, 0, 1, 1, 0};
const std::vector<std::int32_t> triangle = {0, 1, 2};

std::string gifti(const std::string& encoding, const std::string& point_data,
                  const std::string& triangle_data) {
  const std::string rest = "' ArrayIndexingOrder='RowMajorOrder' Dimensionality='2' Dim1='3' Encoding='" +
                           encoding + "' Endian='LittleEndian' Dim0='";
  return "<GIFTI Version='1'><!-- c --><DataArray Intent='NIFTI_INTENT_POINTSET' "
         "DataType='NIFTI_TYPE_FLOAT32" +
         rest + "3'><Data>" + point_data +
         "</Data></DataArray><DataArray Intent='NIFTI_INTENT_TRIANGLE' DataType='" + "NIFTI_TYPE_INT32" +
         rest + "1'><Data><![CDATA[" + triangle_data + "]]></Data></DataArray></GIFTI>";
}

std::vector<SmallFile> surfaces() {
  const std::string little_points = packed(points, ByteOrder::little);
  const std::string little_triangle = packed(triangle, ByteOrder::little);
  const std::string big_points = packed(points, ByteOrder::big);
  const std::string big_triangle = packed(triangle, ByteOrder::big);
  const std::string vtk = "# vtk DataFile Version 4.2\nt\n";
  return {
      {"f.gii", gifti("ASCII", "0 0 0 1 0 0 1 1 0", "0 1 2")},
      {"f.gii", gifti("Base64Binary", base64(little_points), base64(little_triangle))},
      {"f.gii", gifti("GZipBase64Binary", base64(gzip(little_points)), base64(gzip(little_triangle)))},
      {"lh.pial",
       "\xFF\xFF\xFE"
       "by hand\n\n" +
           packed<std::int32_t>({3, 1}, ByteOrder::big) + big_points + big_triangle},
      {"lh.orig",
       std::string("\xFF\xFF\xFD\0\0\3\0\0\1", 9) + big_points + std::string("\0\0\0\0\0\1\0\0\2\0\0\1", 12)},
      {"f.vtk",
       vtk +
           "ASCII\nDATASET POLYDATA\nFIELD f 1\na 1 2 int\n1 2\nPOINTS 3 float\n0 0 0 1 0 0 1 1 0\nMETADATA\n"
           "INFORMATION 0\n\nPOLYGONS 1 4\n3 0 1 2\nTRIANGLE_STRIPS 1 5\n4 0 1 2 0\n"},
      {"f.vtk", vtk + "BINARY\nDATASET POLYDATA\nPOINTS 3 float\n" + big_points +
                    "\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n" + packed<std::int64_t>({0, 3}, ByteOrder::big) +
                    "\nCONNECTIVITY int\n" + big_triangle}};
}

std::vector<SmallFile> points_graphs_and_samples() {
  const std::string npy = "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }";
  return {{"f.xyz", "# c\n2\n0 0.5 1\n-1e3, 2 ;3\n"},
          {"f.xyz", "0 0 0 0 0 1\n1 0 0 0 1 0\n"},
          {"f.cedge", "http://x\n# c\n0 0 1 0.5\n1 1 2 0.25\n"},
          {"f.txt", "7 9\n9 7\n9 9\n"},
          {"f.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 0.5\n3 1 1e0\n"},
          {"f.csv", "a,\"b \"\"c\"\"\"\n1,\"2\"\n3,-4.5e1\n"},
          {"f.npy", std::string("\x93NUMPY\1\0", 8) +
                        packed<std::uint16_t>({static_cast<std::uint16_t>(npy.size())}, ByteOrder::little) +
                        npy + packed<double>({1, 2, 3, 4, 5, 6}, ByteOrder::little)},
          {"f.idx", std::string("\0\0\x0B\2", 4) + packed<std::uint32_t>({2, 2}, ByteOrder::big) +
                        packed<std::int16_t>({1, 2, 3, 4}, ByteOrder::big)}};
}

std::vector<SmallFile> small_files() {
  std::vector<SmallFile> files = surfaces();
  for (SmallFile& file : points_graphs_and_samples()) files.push_back(std::move(file));
  return files;
}

TEST(BrokenDataFiles, TheFilesThemselvesAreGood) {
  for (const SmallFile& file : small_files())
    EXPECT_NO_THROW(testing::expect_valid(testing::parse(file.name, file.bytes))) << file.bytes;
}

TEST(BrokenDataFiles, CutAtEveryByte) {
  for (const SmallFile& file : small_files()) testing::expect_survives_cuts(file);
}

TEST(BrokenDataFiles, WithoutAnyOneByte) {
  for (const SmallFile& file : small_files()) testing::expect_survives_missing_bytes(file);
}

TEST(BrokenDataFiles, WithBytesChanged) {
  for (const SmallFile& file : small_files()) testing::expect_survives_changes(file, 2000);
}

}  // namespace
}  // namespace geodome::internal
