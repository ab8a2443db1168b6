#include "geodome/shape/io/csv.h"

#include <gtest/gtest.h>

#include "file_support.h"
#include "gzip.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::expect_refused;
using testing::identical;
using testing::parse;

TEST(Csv, ReadsSamplesInEveryDialect) {
  const RowMatrix<double> expected = (RowMatrix<double>(2, 2) << 1, -2.5, 3, 4e5).finished();
  for (const char* content : {"1,-2.5\n3,4e5\n", "1,-2.5\r\n3,4e5", "a,b\n1,-2.5\n3,4e5\n",
                              "\"a, b\",\"say \"\"b\"\"\nhere\"\n1,-2.5\n\n3,4e5\n",
                              "\"1\" , \"-2.5\"\n 3 ,4e5 \n", "x;y\n1;-2.5\n3;4e5\n", "1\t-2.5\n3\t4e5\n",
                              "\xEF\xBB\xBF"
                              "1,-2.5\n3,4e5\n"}) {
    for (const std::string& bytes : {std::string(content), testing::gzip(content)}) {
      const Shape shape = parse("f.csv", bytes);
      ASSERT_TRUE(std::holds_alternative<Samples>(shape)) << content;
      EXPECT_TRUE(identical(std::get<Samples>(shape).values, expected)) << content;
    }
  }
}

TEST(Csv, OneColumnAndManyAreSamplesToo) {
  EXPECT_EQ(std::get<Samples>(parse("f.csv", "1\n2\n3\n")).values.rows(), 3);
  EXPECT_EQ(std::get<Samples>(parse("f.csv", "1,2,3,4,5,6,7\n")).values.cols(), 7);
}

TEST(Csv, RefusalsNameTheLineAndTheField) {
  expect_refused("f.csv", "1,2\n3\n", "line 2: 1 fields, but the first line has 2");
  expect_refused("f.csv", "a,b\n1,x\n", "line 2: field 2 is 'x', not a number");
  expect_refused("f.csv", "1,2\n3,\n", "line 2: field 2 is ''");
  expect_refused("f.csv", "\"a\nb\",c\n1,2\n3,x\n", "line 4: field 2");
  expect_refused("f.csv", "1,\"2\n", "a quoted field does not end");
  expect_refused("f.csv", "1,\"2\"3\n", "followed by something other");
  expect_refused("f.csv", "a,b\n", "no samples");
  expect_refused("f.csv", "", "no samples");
}

TEST(Csv, WhatIsWrittenReadsBackExactly) {
  const testing::TemporaryFolder folder;
  RowMatrix<double> matrix = RowMatrix<double>::Random(7, 3);
  matrix(0, 0) = 1e-308, matrix(1, 1) = -1.0 / 3, matrix(2, 2) = infinity, matrix(3, 0) = 1e22;
  for (const std::vector<std::string>& names : {std::vector<std::string>{}, {"a", "b, c", "d\"e"}}) {
    write_csv(matrix, folder.file("f.csv"), names);
    EXPECT_TRUE(
        identical(std::get<Samples>(parse("f.csv", testing::contents(folder.file("f.csv")))).values, matrix));
  }
  EXPECT_THROW(write_csv(matrix, folder.file("f.csv"), {"a"}), InputError);
  EXPECT_THROW(write_csv(matrix, folder.file("missing/f.csv")), FileError);
}

}  // namespace
}  // namespace geodome::internal
