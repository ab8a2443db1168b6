/// The mesh readers on broken files.

#include <gtest/gtest.h>

#include "broken_files.h"
#include "geodome/shape/io/write.h"
#include "gzip.h"
#include "temporary_folder.h"

namespace geodome {
namespace {

using testing::contents;
using testing::expect_valid;
using testing::gzip;
using testing::parse;
using testing::SmallFile;
using testing::TemporaryFolder;

std::string written(const std::string& extension) {
  const TemporaryFolder folder;
  const Points points =
      (Points(5, 3) << 0, 0.1, -2, 1, 0, 1e-9, 1.5, 1, 0, 3e7, 1, 0, 0.25, 0.5, 1).finished();
  const PolygonMesh mesh{points, {0, 1, 2, 0, 2, 3, 4, 1, 2, 3}, {0, 3, 7, 10}};
  const std::string path = folder.file("f." + extension);
  write_shape(mesh, path, Colours::Zero(5, 3));
  return contents(path);
}

std::vector<SmallFile> small_files() {
  const std::string obj = "# c\nv 0 0 0\nv 1 0 \\\n0\nv 1 1 0 1\nvn 0 0 1\nf 1 2 3\nf -3//1 -2//1 -1//1\n";
  const std::string ascii_ply =
      "ply\nformat ascii 1.0\ncomment c\nelement vertex 3\nproperty float x\nproperty float y\nproperty "
      "double z\n"
      "property list uchar int tags\nelement face 1\nproperty list uchar int vertex_indices\n"
      "element tristrips 1\nproperty list int int vertex_indices\nend_header\n"
      "0 0 0 1 5\n1 0 0 0\n1 1 0 0\n3 0 1 2\n5 0 1 2 -1 0\n";
  std::string strips =
      "ply\nformat binary_big_endian 1.0\nelement vertex 3\nproperty uchar x\nproperty uchar y\nproperty "
      "uchar z\n"
      "element tristrips 1\nproperty list uchar char vertex_indices\nend_header\n";
  strips += std::string("\0\0\0\1\0\0\1\1\0\6\0\1\2\xff\2\1", 16);
  const std::string text_stl =
      "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 "
      "0\nendloop\nendfacet\nendsolid s\n";
  std::string binary_stl(80, ' ');
  binary_stl += std::string("\2\0\0\0", 4);
  for (int i = 0; i < 100; ++i) binary_stl += static_cast<char>(i * 41);
  return {{"f.obj", obj},
          {"f.obj", written("obj")},
          {"f.off", "OFF # c\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2 255 0 0\n4 0 1 2 3\n"},
          {"f.off", written("off")},
          {"f.ply", ascii_ply},
          {"f.ply", strips},
          {"f.ply", written("ply")},
          {"f.stl", text_stl},
          {"f.stl", binary_stl},
          {"f.obj.gz", gzip(obj)},
          {"f.ply.gz", gzip(ascii_ply)}};
}

TEST(BrokenFiles, TheFilesThemselvesAreGood) {
  for (const SmallFile& file : small_files())
    EXPECT_NO_THROW(expect_valid(parse(file.name, file.bytes))) << file.bytes;
}

TEST(BrokenFiles, CutAtEveryByte) {
  for (const SmallFile& file : small_files()) testing::expect_survives_cuts(file);
}

TEST(BrokenFiles, WithoutAnyOneByte) {
  for (const SmallFile& file : small_files()) testing::expect_survives_missing_bytes(file);
}

TEST(BrokenFiles, WithBytesChanged) {
  for (const SmallFile& file : small_files()) testing::expect_survives_changes(file, 2000);
}

}  // namespace
}  // namespace geodome
