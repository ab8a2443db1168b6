#include <gtest/gtest.h>

#include "file_support.h"

namespace geodome {
namespace {

using testing::expect_refused;
using testing::parse;

Graph graph(const std::string& content, const std::string& name = "f.edges") {
  return std::get<Graph>(parse(name, content));
}

TEST(EdgeList, TwoThreeOrFourColumns) {
  for (const char* content : {"0 1\n1 2\n", "0,1,1\n1,2,1\n", "0 0 1 1.0\n1\t1\t2\t1e0\n"}) {
    const Graph read = graph(content);
    EXPECT_EQ(read.vertices, 3);
    ASSERT_EQ(read.edges.size(), 2u);
    EXPECT_EQ(read.edges[1].a, 1);
    EXPECT_EQ(read.edges[1].b, 2);
    EXPECT_EQ(read.edges[1].length, 1);
    EXPECT_TRUE(read.labels.empty());
  }
  EXPECT_EQ(graph("7 0 1 0.25\n").edges[0].length, 0.25);
}

TEST(EdgeList, SkipsWhatComesBeforeTheFirstEdge) {
  const Graph read = graph(
      "https://example.org/graph.html\n# Nodes: 3 Edges: 2\n% c\n// c\nFrom To\n0 1\n# c\n1 2\n", "f.txt");
  EXPECT_EQ(read.edges.size(), 2u);
}

TEST(EdgeList, KeepsEveryEdgeAsListed) {
  const Graph read = graph("0 1\n1 0\n0 1\n2 2\n");
  EXPECT_EQ(read.vertices, 3);
  EXPECT_EQ(read.edges.size(), 4u);
  EXPECT_EQ(read.edges[3].a, read.edges[3].b);
}

TEST(EdgeList, SparseNumbersBecomeLabels) {
  const Graph read = graph("900000000000 17\n17 -4\n");
  EXPECT_EQ(read.vertices, 3);
  EXPECT_EQ(read.labels, (std::vector<std::int64_t>{-4, 17, 900000000000}));
  for (const Edge& edge : read.edges) EXPECT_TRUE(edge.a >= 0 && edge.a < 3 && edge.b >= 0 && edge.b < 3);
  EXPECT_EQ(read.labels[static_cast<std::size_t>(read.edges[0].a)], 900000000000);
  EXPECT_EQ(graph("1 2\n2 3\n").labels, (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(EdgeList, RefusalsNameTheLineAndTheCause) {
  expect_refused("f.edges", "0 1 2\n1 2 -0.5\n", "line 2: '-0.5' is not a length");
  expect_refused("f.edges", "0 1 nan\n", "'nan' is not a length");
  expect_refused("f.edges", "0 1 inf\n", "'inf' is not a length");
  expect_refused("f.edges", "0 1\n1 2 3\n", "line 2: 3 columns, but the edges before have 2");
  expect_refused("f.edges", "0 1 2 3 4\n", "not 5");
  expect_refused("f.edges", "0 1\n1 1.5\n", "'1.5' is not a vertex number");
  expect_refused("f.edges", "0 1\nhello world\n", "'hello' is not a vertex number");
  expect_refused("f.edges", "0 99999999999999999999\n", "is not a vertex number");
  expect_refused("f.edges", "# nothing\n", "no edges");
}

}  // namespace
}  // namespace geodome
