#include "geodome/matrix/lower_bound.h"

#include <gtest/gtest.h>

#include "geodesic/random_graph.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome {
namespace {

TEST(LowerBound, IsTheChordOfPositions) {
  const TriangleMesh mesh = make_sphere(4);
  const LowerBound bound = lower_bound(mesh);
  EXPECT_TRUE(bound.has_positions());
  EXPECT_TRUE(bound.fits(static_cast<Index>(mesh.points.rows())));
  EXPECT_FALSE(bound.fits(5));
  EXPECT_EQ(bound(3, 17), (mesh.points.row(3) - mesh.points.row(17)).norm());
  EXPECT_EQ(bound(3, 3), 0);
  EXPECT_EQ(bound(SurfacePoint(3), SurfacePoint(17)), bound(3, 17));
}

TEST(LowerBound, HoldsOnGraphsAndIsPositiveBetweenDistinctVertices) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    Graph graph = testing::random_graph(40, 70, seed);
    if (seed % 2 == 0)
      for (Edge& edge : graph.edges) edge.length += 0.1;
    const LowerBound bound = lower_bound(graph);
    const auto solver = make_solver(graph);
    RowMatrix<double> K(graph.vertices, graph.vertices);
    std::vector<Index> all(static_cast<std::size_t>(graph.vertices));
    for (Index v = 0; v < graph.vertices; ++v) all[static_cast<std::size_t>(v)] = v;
    solver->distances(all, K);
    for (Index i = 0; i < graph.vertices; ++i)
      for (Index j = 0; j < graph.vertices; ++j) {
        EXPECT_LE(bound(i, j), K(i, j) * (1 + 1e-12)) << i << ' ' << j << " seed " << seed;
        EXPECT_EQ(bound(i, j), bound(j, i));
        if (i != j && seed % 2 == 0 && K(i, j) < infinity) {
          EXPECT_GT(bound(i, j), 0);
        }
      }
  }
}

TEST(LowerBound, IsZeroWhereNothingIsKnown) {
  const LowerBound none;
  EXPECT_TRUE(none.fits(7));
  EXPECT_FALSE(none.has_positions());
  EXPECT_EQ(none(2, 5), 0);
}

}  // namespace
}  // namespace geodome
