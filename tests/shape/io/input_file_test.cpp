#include "geodome/shape/io/parse/input_file.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "file_support.h"
#include "gzip.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::contains;
using testing::gzip;
using testing::TemporaryFolder;

std::string unpacked(const std::string& bytes) {
  return load_bytes(bytes, "f.gz").content;
}

std::string message_of(const std::string& bytes) {
  try {
    load_bytes(bytes, "f.gz");
  } catch (const FileError& error) {
    return error.what();
  }
  return {};
}

TEST(InputFile, ExtensionIsLowerCaseAndLooksBehindGz) {
  EXPECT_EQ(file_extension("a/b.OBJ"), "obj");
  EXPECT_EQ(file_extension("a/b.Ply.GZ"), "ply");
  EXPECT_EQ(file_extension("a.b/c"), "");
  EXPECT_EQ(file_extension("c.gz"), "");
  EXPECT_EQ(file_extension("fsaverage6_lh.pial"), "pial");
  EXPECT_EQ(file_extension(""), "");
}

TEST(InputFile, KeepsEveryByteOfAFile) {
  const TemporaryFolder folder;
  std::string bytes = "text\n";
  for (int i = 0; i < 70000; ++i) bytes += static_cast<char>(i * 7);
  testing::store(folder.file("a.PLY"), bytes);
  const InputFile file = load_file(folder.file("a.PLY"));
  EXPECT_TRUE(file.content == bytes);
  EXPECT_EQ(file.extension, "ply");
  EXPECT_EQ(file.path, folder.file("a.PLY"));
  testing::store(folder.file("empty"), "");
  EXPECT_EQ(load_file(folder.file("empty")).content, "");
}

TEST(InputFile, RefusesWhatIsNotAFile) {
  const TemporaryFolder folder;
  EXPECT_THROW(load_file(folder.file("missing")), FileError);
  EXPECT_THROW(load_file(folder.path().string()), FileError);
}

TEST(InputFile, UnpacksWhateverTheNameSays) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += std::to_string(i * 31 % 1000) + "\n";
  EXPECT_TRUE(unpacked(gzip(text)) == text);
  EXPECT_EQ(load_bytes(gzip("v 0 0 0"), "plain.obj").content, "v 0 0 0");
  EXPECT_EQ(unpacked(gzip("")), "");
  EXPECT_EQ(unpacked("not packed"), "not packed");
}

TEST(InputFile, UnpacksJoinedMembersAndIgnoresPaddingZeros) {
  EXPECT_EQ(unpacked(gzip("one ") + gzip("two")), "one two");
  EXPECT_EQ(unpacked(gzip("one") + std::string(100, '\0')), "one");
  EXPECT_TRUE(contains(message_of(gzip("one") + "stray"), "5 stray bytes"));
}

TEST(InputFile, RefusesPackedDataCutAnywhere) {
  const std::string packed = gzip("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  for (std::size_t size = 2; size < packed.size(); ++size)
    EXPECT_TRUE(contains(message_of(packed.substr(0, size)), "ends early")) << size;
}

TEST(InputFile, RefusesBrokenPackedData) {
  const std::string good = gzip("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  std::string bad_checksum = good;
  bad_checksum[good.size() - 6] ^= 1;
  EXPECT_TRUE(contains(message_of(bad_checksum), "damaged gzip data"));
  std::string bad_method = good;
  bad_method[2] = 7;
  EXPECT_TRUE(contains(message_of(bad_method), "damaged gzip data"));
}

/// Megabytes of zeros, packed about a thousand times smaller.
std::string packed_zeros(int megabytes) {
  const std::string megabyte = gzip(std::string(1 << 20, '\0'));
  std::string packed;
  for (int i = 0; i < megabytes; ++i) packed += megabyte;
  return packed;
}

TEST(InputFile, AcceptsASmallFileThatUnpacksALot) {
  EXPECT_EQ(unpacked(packed_zeros(9)).size(), std::size_t{9} << 20);
}

TEST(InputFile, RefusesAFileMadeToExhaustMemory) {
  const std::string bomb = packed_zeros(66);
  ASSERT_LT(bomb.size(), 200000u);
  EXPECT_TRUE(contains(message_of(bomb), "unpacks to more than"));
}

}  // namespace
}  // namespace geodome::internal
