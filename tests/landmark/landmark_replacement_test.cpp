#include "geodome/landmark/landmark_replacement.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "landmark/faulty_solver.h"
#include "landmark/packed_numbers.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

Adjacency adjacency_of(const MatrixCase& one) {
  return make_adjacency(one.size(), face_edges(one.mesh));
}

bool contains(const std::vector<Index>& some, Index one) {
  return std::find(some.begin(), some.end(), one) != some.end();
}

TEST(SettleLandmarks, LeavesGoodOnesAsTheyAre) {
  for (const MatrixCase& one : matrix_cases()) {
    const SettledLandmarks settled = settle_landmarks(*one.solver, adjacency_of(one), one.landmarks);
    EXPECT_TRUE(settled.replaced.empty()) << one.name;
    EXPECT_EQ(settled.landmarks.vertices, one.landmarks.vertices) << one.name;
    EXPECT_EQ(numbers_of(settled.distances.values),
              numbers_of(landmark_distances(*one.solver, one.landmarks).values))
        << one.name;
  }
}

TEST(SettleLandmarks, PutsTheNearestVertexInPlaceOfAFaultyOne) {
  for (const MatrixCase& one : matrix_cases()) {
    const Adjacency adjacency = adjacency_of(one);
    const Index bad = one.landmarks.vertices[5];
    for (const double factor : {0.5, 3.0, infinity}) {
      const FaultySolver solver(*one.solver, {bad}, factor);
      const SettledLandmarks settled = settle_landmarks(solver, adjacency, one.landmarks);
      ASSERT_EQ(settled.replaced.size(), 1u) << one.name;
      EXPECT_EQ(settled.replaced[0].before, bad) << one.name;
      const Index after = settled.replaced[0].after;
      EXPECT_FALSE(contains(one.landmarks.vertices, after)) << one.name;
      EXPECT_EQ(one.landmarks.component[after], one.landmarks.component[bad]) << one.name;
      const auto begin = adjacency.neighbours.begin();
      for (auto k = adjacency.offsets[bad]; k < adjacency.offsets[bad + 1]; ++k) {
        if (begin[k] != after) continue;
        for (auto other = adjacency.offsets[bad]; other < adjacency.offsets[bad + 1]; ++other)
          EXPECT_TRUE(adjacency.lengths[k] <= adjacency.lengths[other] ||
                      contains(one.landmarks.vertices, begin[other]))
              << one.name;
      }
      EXPECT_TRUE(contains(settled.landmarks.vertices, after)) << one.name;
      EXPECT_FALSE(contains(settled.landmarks.vertices, bad)) << one.name;
      EXPECT_EQ(settled.landmarks.vertices.size(), one.landmarks.vertices.size()) << one.name;
      EXPECT_TRUE(settled.distances.suspects.empty()) << one.name;
      EXPECT_EQ(settled.landmarks.cell[after],
                std::find(settled.landmarks.vertices.begin(), settled.landmarks.vertices.end(), after) -
                    settled.landmarks.vertices.begin());
    }
  }
}

TEST(SettleLandmarks, GoesOnWhenTheReplacementIsFaultyTooButNotForEver) {
  const MatrixCase one = make_case("sphere", make_sphere(7), 30);
  const Adjacency adjacency = adjacency_of(one);
  std::vector<Index> bad{one.landmarks.vertices[4]};
  std::size_t found = 0;
  for (; bad.size() < 6; ++found) {
    const FaultySolver solver(*one.solver, bad, 2);
    if (bad.size() > 3) {
      EXPECT_THROW(settle_landmarks(solver, adjacency, one.landmarks), NumericalError);
      break;
    }
    const SettledLandmarks settled = settle_landmarks(solver, adjacency, one.landmarks);
    ASSERT_EQ(settled.replaced.size(), bad.size());
    for (std::size_t k = 0; k < bad.size(); ++k) EXPECT_EQ(settled.replaced[k].before, bad[k]);
    bad.push_back(settled.replaced.back().after);
  }
  EXPECT_EQ(found, 3u);
}

TEST(SettleLandmarks, SaysSoWhenNoVertexIsLeft) {
  const MatrixCase one = make_case("sphere", make_sphere(2), 12);
  std::vector<Index> all = everything(one.size());
  const Adjacency adjacency = adjacency_of(one);
  const FaultySolver solver(*one.solver, {7}, 2);
  EXPECT_THROW(settle_landmarks(solver, adjacency, order_landmarks(adjacency, all)), NumericalError);
}

TEST(SettleLandmarks, NeverTakesAVertexAtThePlaceOfALandmark) {
  // Every vertex of a sphere has a twin at distance zero, joined by an edge.
  const MatrixCase one = make_case("sphere", make_sphere(4), 20);
  std::vector<Edge> edges = face_edges(one.mesh);
  for (Index v = 0; v < one.size(); ++v) edges.push_back({v, v + one.size(), 0});
  const Adjacency adjacency = make_adjacency(2 * one.size(), edges);
  GeodesicOptions along_edges;
  Graph graph;
  graph.vertices = 2 * one.size();
  graph.edges = edges;
  const auto good = make_solver(graph, along_edges);
  const OrderedLandmarks landmarks = order_landmarks(adjacency, one.landmarks.vertices);
  const Index bad = landmarks.vertices[3];
  const SettledLandmarks settled = settle_landmarks(FaultySolver(*good, {bad}, 3), adjacency, landmarks);
  ASSERT_EQ(settled.replaced.size(), 1u);
  for (const Index landmark : landmarks.vertices)
    EXPECT_NE(settled.replaced[0].after % one.size(), landmark % one.size());
}

}  // namespace
}  // namespace geodome::internal
