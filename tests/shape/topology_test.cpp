#include "geodome/shape/topology.h"

#include <gtest/gtest.h>

#include <random>

namespace geodome::internal {
namespace {

/// Triangles between random vertices, not too far from each other; some have repeated corners.
Triangles random_triangles(Index vertices, Index count, unsigned seed) {
  std::mt19937 random(seed);
  Triangles triangles(count, 3);
  for (Index f = 0; f < count; ++f) {
    const auto middle = static_cast<Index>(random() % static_cast<unsigned>(vertices));
    for (int k = 0; k < 3; ++k)
      triangles(f, k) = std::min(vertices - 1, middle + static_cast<Index>(random() % 5));
  }
  return triangles;
}

TEST(Topology, CornersOfAVertexAreAllOfItsCorners) {
  const Index vertices = 50;
  const Triangles triangles = random_triangles(vertices, 90, 1);
  const VertexCorners corners(triangles, vertices);
  std::size_t all = 0;
  for (Index v = 0; v < vertices; ++v) {
    EXPECT_TRUE(std::is_sorted(corners[v].begin(), corners[v].end()));
    for (const Index corner : corners[v]) EXPECT_EQ(triangles(corner / 3, corner % 3), v);
    all += corners[v].size();
  }
  EXPECT_EQ(all, 270u);
}

TEST(Topology, OppositeSidesAreThoseOfEdgesOfTwoFaces) {
  for (const Index vertices : {4, 60, 40000}) {
    const Triangles triangles = random_triangles(vertices, vertices + vertices / 2, 2);
    std::vector<Index> wanted(static_cast<std::size_t>(triangles.size()), -1);
    visit_edges(triangles, vertices, [&](Index, std::span<const TriangleSide> sides) {
      if (sides.size() != 2) return;
      wanted[sides[0].number] = sides[1].number;
      wanted[sides[1].number] = sides[0].number;
    });
    const VertexCorners corners(triangles, vertices);
    for (const int threads : {1, 2, 3})
      EXPECT_EQ(opposite_sides(triangles, corners, Execution{threads, {}}), wanted) << threads;
  }
}

}  // namespace
}  // namespace geodome::internal
