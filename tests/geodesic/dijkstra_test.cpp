#include "geodome/geodesic/dijkstra.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

using testing::disjoint_union;
using testing::grid_graph;
using testing::random_graph;

DijkstraSolver solver_of(const Graph& graph) {
  return DijkstraSolver(make_adjacency(graph.vertices, graph.edges));
}

RowMatrix<double> all_distances(const GeodesicSolver& solver, int threads = 1) {
  std::vector<Index> all(static_cast<std::size_t>(solver.size()));
  std::iota(all.begin(), all.end(), 0);
  RowMatrix<double> distances(solver.size(), solver.size());
  solver.distances(all, distances, Execution{threads, {}});
  return distances;
}

/// Dijkstra's algorithm as in a textbook: scan for the nearest open vertex, relax its edges in a dense
/// matrix.
Vector textbook_distances(const Graph& graph, Index source) {
  Eigen::MatrixXd length = Eigen::MatrixXd::Constant(graph.vertices, graph.vertices, infinity);
  for (const Edge& edge : graph.edges)
    length(edge.a, edge.b) = length(edge.b, edge.a) = std::min(length(edge.a, edge.b), edge.length);
  Vector distance = Vector::Constant(graph.vertices, infinity);
  distance[source] = 0;
  std::vector<bool> closed(static_cast<std::size_t>(graph.vertices), false);
  for (Index round = 0; round < graph.vertices; ++round) {
    Index nearest = -1;
    for (Index v = 0; v < graph.vertices; ++v)
      if (!closed[v] && (nearest < 0 || distance[v] < distance[nearest])) nearest = v;
    closed[nearest] = true;
    for (Index v = 0; v < graph.vertices; ++v)
      distance[v] = std::min(distance[v], distance[nearest] + length(nearest, v));
  }
  return distance;
}

TEST(Dijkstra, EqualsTheTextbookOnRandomGraphs) {
  for (unsigned seed = 0; seed < 12; ++seed) {
    const Graph graph = random_graph(60, 20 + 15 * static_cast<int>(seed), seed);
    const RowMatrix<double> distances = all_distances(solver_of(graph));
    for (Index source = 0; source < graph.vertices; ++source)
      ASSERT_EQ(Vector(distances.row(source)), textbook_distances(graph, source)) << "seed " << seed;
  }
}

/// Lengths over many orders of magnitude: rows may be computed with buckets, with a heap, or with both.
TEST(Dijkstra, RowsEqualSearchesWithAHeapForAnyLengths) {
  for (const double spread : {0.0, 1.0, 3.0, 6.0, 20.0})
    for (unsigned seed = 0; seed < 6; ++seed) {
      Graph graph = disjoint_union(random_graph(300, 900, seed), random_graph(40, 60, seed + 1));
      for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        const double part = static_cast<double>((e * 7919 + seed) % 101) / 100;
        graph.edges[e].length = e % 17 == 0 ? 0 : std::exp(spread * (part - 0.5)) * 1e-3;
      }
      const DijkstraSolver solver = solver_of(graph);
      const RowMatrix<double> rows = all_distances(solver);
      ASSERT_EQ(rows, all_distances(solver, 2));
      DistanceHeap heap;
      for (Index source = 0; source < graph.vertices; source += 13) {
        std::vector<double> distance(static_cast<std::size_t>(graph.vertices), infinity);
        lower_distances(solver.adjacency(), source, infinity, distance, heap);
        for (Index v = 0; v < graph.vertices; ++v)
          ASSERT_EQ(rows(source, v), distance[v]) << "spread " << spread << ", seed " << seed;
      }
    }
}

/// Long chains of short edges within one bucket: after too many visits a heap takes over.
TEST(Dijkstra, RowsAreExactWhereBucketsHoldManyEdges) {
  Graph graph{400, {}, {}};
  for (Index v = 0; v < 200; ++v)
    for (Index w = v + 1; w < 200; ++w) graph.edges.push_back({v, w, 1e-6 * (1 + (w - v) * (w - v) * 0.9)});
  for (Index v = 200; v < 400; ++v)
    for (Index w = v + 1; w < 400; ++w) graph.edges.push_back({v, w, 1.0 + 1e-3 * (v % 7)});
  graph.edges.push_back({0, 399, 1});
  const RowMatrix<double> rows = all_distances(solver_of(graph));
  for (const Index source : {0, 57, 199, 250, 399})
    ASSERT_EQ(Vector(rows.row(source)), textbook_distances(graph, source));
}

TEST(Dijkstra, CountsStepsOnAGrid) {
  const RowMatrix<double> distances = all_distances(solver_of(grid_graph(9, 7)));
  for (Index a = 0; a < 63; ++a)
    for (Index b = 0; b < 63; ++b)
      EXPECT_EQ(distances(a, b), std::abs(a % 9 - b % 9) + std::abs(a / 9 - b / 9));
}

TEST(Dijkstra, ScalesWithTheLengths) {
  const RowMatrix<double> one = all_distances(solver_of(random_graph(50, 120, 3)));
  for (const double scale : {0x1p-30, 0x1p30}) {
    Graph scaled = random_graph(50, 120, 3);
    for (Edge& edge : scaled.edges) edge.length *= scale;
    EXPECT_EQ(all_distances(solver_of(scaled)), scale * one);
  }
}

TEST(Dijkstra, DoesNotDependOnTheNumberOfThreads) {
  const DijkstraSolver solver = solver_of(random_graph(80, 150, 5));
  EXPECT_EQ(all_distances(solver, 1), all_distances(solver, 3));
}

TEST(Dijkstra, WithinIsTheBallOfTheRow) {
  const DijkstraSolver solver = solver_of(random_graph(90, 160, 7));
  const RowMatrix<double> distances = all_distances(solver);
  for (const double radius : {-1.0, 0.0, 2.5, 6.0, infinity})
    for (Index source = 0; source < solver.size(); source += 7) {
      const std::vector<Neighbour> ball = solver.within(source, radius);
      EXPECT_EQ(
          static_cast<Eigen::Index>(ball.size()),
          (distances.row(source).array() <= radius && distances.row(source).array() < infinity).count());
      double last = 0;
      for (const Neighbour& neighbour : ball) {
        EXPECT_EQ(neighbour.distance, distances(source, neighbour.vertex));
        EXPECT_GE(neighbour.distance, last);
        last = neighbour.distance;
      }
    }
}

TEST(Dijkstra, LoweringAddsASourceToTheOnesBefore) {
  const Graph graph = random_graph(70, 130, 11);
  const DijkstraSolver solver = solver_of(graph);
  const RowMatrix<double> distances = all_distances(solver);
  std::vector<double> nearest(static_cast<std::size_t>(graph.vertices), infinity);
  Vector expected = Vector::Constant(graph.vertices, infinity);
  DistanceHeap heap;
  for (const Index source : {4, 60, 17, 33, 69}) {
    std::vector<Index> lowered;
    lower_distances(solver.adjacency(), source, infinity, nearest, heap, &lowered);
    const Vector before = expected;
    expected = expected.cwiseMin(distances.row(source).transpose());
    EXPECT_EQ(Eigen::Map<const Vector>(nearest.data(), graph.vertices), expected);
    EXPECT_EQ(static_cast<Eigen::Index>(lowered.size()), (expected.array() < before.array()).count());
  }
}

TEST(Dijkstra, RefusesWhatItCannotUse) {
  const Graph graph = grid_graph(3, 3);
  const DijkstraSolver solver = solver_of(graph);
  RowMatrix<double> row(1, 9);
  EXPECT_THROW(solver.distances(std::vector<Index>{9}, row), InputError);
  EXPECT_THROW(solver.distances(std::vector<Index>{-1}, row), InputError);
  EXPECT_THROW(solver.distances(std::vector<Index>{0, 1}, row), InputError);
  EXPECT_THROW(solver.within(9, 1), InputError);
}

TEST(Adjacency, NamesTheEdgeItRefuses) {
  for (const Edge& bad :
       {Edge{0, 3, 1}, Edge{-1, 0, 1}, Edge{0, 1, -0.5}, Edge{0, 1, infinity}, Edge{0, 1, NAN}}) {
    const std::vector<Edge> edges{{0, 1, 1}, {1, 2, 1}, bad};
    try {
      make_adjacency(3, edges);
      FAIL() << bad.a << ' ' << bad.b << ' ' << bad.length;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("edge 2"), std::string::npos) << error.what();
    }
  }
}

TEST(Adjacency, ComponentsAreWhatIsReachable) {
  const Graph graph = disjoint_union(random_graph(40, 25, 1), grid_graph(4, 4));
  const Adjacency adjacency = make_adjacency(graph.vertices, graph.edges);
  const Components components = find_components(adjacency);
  const RowMatrix<double> distances = all_distances(DijkstraSolver(adjacency));
  Index largest = -1;
  for (Index a = 0; a < graph.vertices; ++a) {
    largest = std::max(largest, components.of_vertex[a]);
    const bool alone = (distances.row(a).array() < infinity).count() == 1;
    EXPECT_EQ(components.of_vertex[a] < 0, alone);
    for (Index b = 0; b < graph.vertices; ++b)
      if (!alone && a != b) {
        EXPECT_EQ(distances(a, b) < infinity, components.of_vertex[a] == components.of_vertex[b]);
      }
  }
  EXPECT_EQ(components.count, largest + 1);
  EXPECT_GT(components.count, 2);
}

TEST(Adjacency, TakesTheEdgesOfFaces) {
  PolygonMesh square;
  square.points.resize(4, 3);
  square.points << 0, 0, 0, 3, 0, 0, 3, 4, 0, 0, 4, 0;
  square.corners = {0, 1, 2, 3};
  square.offsets = {0, 4};
  const RowMatrix<double> around = all_distances(DijkstraSolver(make_adjacency(4, face_edges(square))));
  EXPECT_EQ(around(0, 2), 7);
  EXPECT_EQ(around(1, 3), 7);
  TriangleMesh cut{square.points, Triangles(2, 3)};
  cut.triangles << 0, 1, 2, 0, 2, 3;
  const RowMatrix<double> across = all_distances(DijkstraSolver(make_adjacency(4, face_edges(cut))));
  EXPECT_EQ(across(0, 2), 5);
  EXPECT_EQ(across(1, 3), 7);
  cut.triangles(1, 2) = 4;
  EXPECT_THROW(face_edges(cut), InputError);
  square.points(3, 1) = NAN;
  EXPECT_THROW(face_edges(square), InputError);
}

}  // namespace
}  // namespace geodome::internal
