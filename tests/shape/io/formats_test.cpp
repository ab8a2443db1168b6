#include "geodome/shape/io/formats.h"

#include <gtest/gtest.h>

#include "file_support.h"
#include "gzip.h"

namespace geodome::internal {
namespace {

using testing::contains;
using testing::gzip;
using testing::refusal;

std::string_view format_of(const std::string& name, const std::string& content) {
  return find_format({name, file_extension(name), content}).name;
}

const std::pair<std::string, std::string> files[] = {
    {"OBJ", "# a comment\no thing\nv 0 0 0\n"},
    {"OBJ", "mtllib a.mtl\nvn 0 0 1\nv 0 0 0\n"},
    {"OFF", "OFF\n1 0 0\n0 0 0\n"},
    {"OFF", "# a comment\nCOFF\n1 0 0\n0 0 0\n"},
    {"PLY", "ply\nformat ascii 1.0\n"},
    {"PLY", "ply\r\nformat ascii 1.0\r\n"},
    {"STL", "solid x\nfacet normal 0 0 1\n"},
};

TEST(FindFormat, ContentDecidesWhateverTheExtension) {
  for (const auto& [format, content] : files)
    for (const char* name : {"f", "f.obj", "f.off", "f.ply", "f.stl", "f.txt"})
      EXPECT_EQ(format_of(name, content), format) << name << ": " << content;
}

TEST(FindFormat, ExtensionDecidesWhereContentDoesNot) {
  EXPECT_EQ(format_of("f.off", "3 1 0\n"), "OFF");
  EXPECT_EQ(format_of("f.OBJ", ""), "OBJ");
  EXPECT_EQ(format_of("f.stl.gz", "nonsense"), "STL");
}

TEST(FindFormat, SaysWhatWasSeenAndWhatCanBeRead) {
  const std::string message = refusal("f.unknown", "Dear Sir or Madam,\nplease");
  EXPECT_TRUE(contains(message, "'f.unknown'")) << message;
  EXPECT_TRUE(contains(message, "begins with 'Dear Sir or Mada'")) << message;
  for (const Format& format : formats()) EXPECT_TRUE(contains(message, std::string(format.name))) << message;
  EXPECT_TRUE(contains(refusal("f", ""), "it is empty"));
  EXPECT_TRUE(contains(refusal("f", std::string("\x7f\x45\x4c\x46\x02\x01\x01\x00", 8)),
                       "bytes 7f 45 4c 46 02 01 01 00"));
}

TEST(ReadFormatted, NotesWhereRowsHaveTwoMeanings) {
  const auto note = [](const char* name, const char* content, const char* format = "") {
    return read_formatted(load_bytes(content, name), format).note;
  };
  EXPECT_TRUE(contains(note("f.txt", "0 1 5\n1 2 6\n"), "'f.txt' was read as an edge list"));
  EXPECT_TRUE(contains(note("f", "0 1 5\n1 2 6\n"), "XYZ"));
  EXPECT_EQ(note("f.edges", "0 1 5\n1 2 6\n"), "");
  EXPECT_EQ(note("f.txt", "0 1 5\n1 2 6.5\n"), "");
  EXPECT_EQ(note("f.txt", "0 1\n1 2\n"), "");
  EXPECT_EQ(note("f.txt", "0 1 5\n1 2 6\n", "edge list"), "");
  EXPECT_EQ(note("f.txt", "0 1 5\n1 2 6\n", "xyz"), "");
}

TEST(ReadFormatted, SaysWhichFormatAFileIsInThatWasReadInAnother) {
  const auto failure = [](const char* content, const char* format) -> std::string {
    try {
      read_formatted(load_bytes(content, "f.ply"), format);
    } catch (const FileError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_TRUE(
      contains(failure("ply\nformat ascii 1.0\n", "off"), "it is a PLY file, read in the format OFF"));
  const std::string own = failure("ply\nformat ascii 1.0\n", "ply");
  EXPECT_FALSE(own.empty());
  EXPECT_FALSE(contains(own, "read in the format")) << own;
}

TEST(FindFormat, ReadsPackedFilesTheSame) {
  const std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  for (const char* name : {"f.obj.gz", "f.gz", "f.obj"})
    EXPECT_EQ(face_count(testing::parse(name, gzip(text))), 1) << name;
}

}  // namespace
}  // namespace geodome::internal
