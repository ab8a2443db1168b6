#include "geodome/shape/io/parse/lines.h"

#include <gtest/gtest.h>

#include "file_support.h"
#include "geodome/shape/io/read.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

TEST(LineReader, SkipsCommentsAndCountsLines) {
  const InputFile file{"f.txt", "txt", "# one\r\n\r\n 1, 2;3\t4\n  // five\n%\nx\r\r1 2#3"};
  LineReader lines(file);
  std::vector<double> values;
  ASSERT_TRUE(lines.next());
  EXPECT_TRUE(lines.first());
  ASSERT_TRUE(lines.numbers(values));
  EXPECT_EQ(values, (std::vector<double>{1, 2, 3, 4}));
  ASSERT_TRUE(lines.next());
  EXPECT_FALSE(lines.first());
  EXPECT_FALSE(lines.numbers(values));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.words().back(), "2#3");
  EXPECT_THROW(
      try { lines.fail("bad"); } catch (const FileError& error) {
        EXPECT_STREQ(error.what(), "'f.txt', line 8: bad");
        throw;
      },
      FileError);
  EXPECT_FALSE(lines.next());
}

std::string kind(const std::string& name, const std::string& content) {
  return kind_name(testing::parse(name, content));
}

TEST(TextOfNumbers, FirstRowsDecideWhereTheExtensionDoesNot) {
  for (const char* name : {"f", "f.txt", "f.dat"}) {
    EXPECT_EQ(kind(name, "0 1\n1 2\n"), "graph");
    EXPECT_EQ(kind(name, "# weights\n0 1 0.5\n1 2 0.25\n"), "graph");
    EXPECT_EQ(kind(name, "0 0 1 0.5\n1 1 2 0.25\n"), "graph");
    EXPECT_EQ(kind(name, "0.5 1 2\n1 2 3\n"), "point cloud");
    EXPECT_EQ(kind(name, "2\n0.5 1 2\n1 2 3\n"), "point cloud");
    EXPECT_EQ(kind(name, "1 2 3 0 0 1\n1 2 4 0 1 0\n"), "point cloud");
    EXPECT_EQ(kind(name, "1,2\n3,4\n"), "samples");
    EXPECT_EQ(kind(name, "a,b,c\n1,2,3\n3,4,5\n"), "samples");
  }
}

TEST(TextOfNumbers, ExtensionDecidesBetweenThem) {
  const std::string rows = "0 1 2\n3 4 5\n";
  EXPECT_EQ(kind("f.xyz", rows), "point cloud");
  EXPECT_EQ(kind("f.edges", rows), "graph");
  EXPECT_EQ(kind("f.csv", "0,1,2\n3,4,5\n"), "samples");
  EXPECT_EQ(kind("f.xyz", "0,1,2\n3,4,5\n"), "point cloud");
}

TEST(TextOfNumbers, TheCallerDecidesAgainstBoth) {
  const testing::TemporaryFolder folder;
  testing::store(folder.file("f.csv"), "0,1,2\n3,4,5\n");
  EXPECT_EQ(kind_name(read_shape(folder.file("f.csv"))), "samples");
  EXPECT_EQ(kind_name(read_shape(folder.file("f.csv"), {"XYZ"})), "point cloud");
  EXPECT_EQ(kind_name(read_shape(folder.file("f.csv"), {"Edge List"})), "graph");
  EXPECT_EQ(kind_name(read_shape(folder.file("f.csv"), {"cedge"})), "graph");
  EXPECT_THROW(read_shape(folder.file("f.csv"), {"obj"}), FileError);
  EXPECT_THROW(read_shape(folder.file("f.csv"), {"docx"}), InputError);
}

TEST(TextOfNumbers, LongLinesAndBinaryDataAreLookedAtOnlyAtTheBeginning) {
  EXPECT_EQ(look_at_text({"f", "", std::string(1 << 20, '1')}).columns, 0u);
  EXPECT_EQ(look_at_text({"f", "", std::string("1 2\0", 4)}).columns, 0u);
  std::string rows;
  for (int i = 0; i < 20000; ++i) rows += "1 2 3\n";
  EXPECT_EQ(look_at_text({"f", "", rows}).columns, 3u);
}

}  // namespace
}  // namespace geodome::internal
