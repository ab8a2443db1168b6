#include <gtest/gtest.h>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

const std::string banner = "%%MatrixMarket matrix coordinate ";

TEST(MatrixMarket, ReadsRealIntegerAndPattern) {
  for (const std::string& content :
       {banner + "real general\n% c\n\n4 4 2\n1 2 1.0\n3 1 1e0\n",
        banner + "integer symmetric\r\n4 4 2\r\n1 2 1\r\n3 1 1\r\n",
        std::string("%%matrixmarket MATRIX Coordinate PATTERN symmetric\n4 4 2\n1 2\n3 1")}) {
    for (const char* name : {"f.mtx", "f", "f.txt"}) {
      const Graph graph = std::get<Graph>(parse(name, content));
      EXPECT_EQ(graph.vertices, 4);  // the last one has no edge
      ASSERT_EQ(graph.edges.size(), 2u);
      EXPECT_EQ(graph.edges[1].a, 2);
      EXPECT_EQ(graph.edges[1].b, 0);
      EXPECT_EQ(graph.edges[1].length, 1);
      EXPECT_TRUE(graph.labels.empty());
    }
  }
}

TEST(MatrixMarket, RefusalsNameTheCause) {
  expect_refused("f.mtx", "%%MatrixMarket matrix array real general\n", "not a 'matrix array'");
  expect_refused("f.mtx", banner + "complex general\n1 1 0\n", "not complex");
  expect_refused("f.mtx", banner + "real skew-symmetric\n1 1 0\n", "not skew-symmetric");
  expect_refused("f.mtx", banner + "real\n3 3 0\n", "the symmetry");
  expect_refused("f.mtx", banner + "real general\n3 4 0\n", "3 by 4");
  expect_refused("f.mtx", banner + "real general\n3 3\n", "three integers");
  expect_refused("f.mtx", banner + "real general\n", "three integers");
  expect_refused("f.mtx", banner + "real general\n3 3 1\n1 4 1\n", "'4' is not a row in [1, 3]");
  expect_refused("f.mtx", banner + "real general\n3 3 1\n0 1 1\n", "'0' is not a row");
  expect_refused("f.mtx", banner + "real general\n3 3 1\n1 2 -1\n", "'-1' is not a length");
  expect_refused("f.mtx", banner + "real general\n3 3 1\n1 2\n", "must have 3 numbers, not 2");
  expect_refused("f.mtx", banner + "pattern general\n3 3 2\n1 2    \n", "ends after 1 of 2");
  expect_refused("f.mtx", banner + "pattern general\n3 3 1\n1 2\n2 3\n", "more entries than the 1");
  expect_refused("f.mtx", banner + "pattern general\n3 3 1000000000000\n1 2\n", "declares 1000000000000");
  expect_refused("f.mtx", banner + "pattern general\n2000000000 2000000000 1\n1 2\n", "2000000000 rows");
}

}  // namespace
}  // namespace geodome
