#include "geodome/matrix/lower_bound.h"

#include <gtest/gtest.h>

#include <thread>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
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

/// Positions in an array of numbers of any type, row by row.
template <typename T>
struct OwnedPositions {
  std::shared_ptr<const RowMatrix<T>> values;

  explicit OwnedPositions(const RowMatrix<double>& points)
      : values(std::make_shared<const RowMatrix<T>>(points.cast<T>())) {}

  PositionArray array(const StorageCheck* check = nullptr) const {
    const std::span<const T> numbers(values->data(), static_cast<std::size_t>(values->size()));
    return {numbers, static_cast<Index>(values->cols()), check, values};
  }
};

TEST(LowerBound, ReadsPositionsOfEitherPrecisionWhereTheyAre) {
  const RowMatrix<double> points = (RowMatrix<double>::Random(40, 5) * 100).array().round() / 128;
  const LowerBound copied = points;
  const OwnedPositions<double> doubles(points);
  const OwnedPositions<float> floats(points);
  for (const LowerBound& bound : {LowerBound(doubles.array()), LowerBound(floats.array())}) {
    EXPECT_TRUE(bound.has_positions());
    EXPECT_TRUE(bound.fits(40));
    EXPECT_FALSE(bound.fits(39));
    for (Index i = 0; i < 40; ++i)
      for (Index j = 0; j < 40; ++j) EXPECT_EQ(bound(i, j), (points.row(i) - points.row(j)).norm());
    const SurfacePoint a{{0, 1, 6}, {0.5, 0.25, 0.25}}, b{{20, 21, 26}, {0.125, 0.5, 0.375}};
    EXPECT_EQ(bound(a, b), copied(a, b));
    EXPECT_GT(bound(a, b), 0);
  }
}

/// Refuses one row of an array.
struct RowCheck : StorageCheck {
  const void* damaged = nullptr;
  void verify(const void* begin, std::size_t bytes) const override {
    const auto* first = static_cast<const char*>(begin);
    if (damaged >= first && damaged < first + bytes) throw FileError("damaged");
  }
};

TEST(LowerBound, ChecksPositionsBeforeItReadsThem) {
  const OwnedPositions<float> floats(RowMatrix<double>::Random(40, 3));
  RowCheck check;
  check.damaged = &(*floats.values)(7, 1);
  const LowerBound bound(floats.array(&check));
  EXPECT_GT(bound(6, 8), 0);
  EXPECT_EQ(bound(7, 7), 0) << "nothing is read";
  EXPECT_THROW(bound(7, 8), FileError);
  EXPECT_THROW(bound(8, 7), FileError);
  EXPECT_THROW(bound(SurfacePoint(7), SurfacePoint(8)), FileError);
}

TEST(LowerBound, KeepsWhatItReadsAlive) {
  auto shape = std::make_shared<const Shape>(make_sphere(4));
  const LowerBound copied = lower_bound(*shape), shared = lower_bound(shape);
  EXPECT_EQ(shape.use_count(), 2);
  shape.reset();
  for (Index j = 0; j < 20; ++j) EXPECT_EQ(shared(3, j), copied(3, j));
}

/// Edges in arrays, as a file has them.
struct OwnedEdges {
  std::vector<Index> ends;
  std::vector<double> lengths;

  explicit OwnedEdges(const Graph& graph) {
    for (const Edge& edge : graph.edges) {
      ends.insert(ends.end(), {edge.a, edge.b});
      lengths.push_back(edge.length);
    }
  }
};

EdgeArrays arrays_of(const Graph& graph) {
  const auto owned = std::make_shared<const OwnedEdges>(graph);
  return {graph.vertices, owned->ends, owned->lengths, owned};
}

TEST(LowerBound, OfAGraphIsTheSameByScanAndByIndex) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const Graph graph = testing::random_graph(25, 40, seed);
    const LowerBound warm{arrays_of(graph)}, whole{graph};
    for (Index i = 0; i < 25; ++i)
      for (Index j = 0; j < 25; ++j) {
        const LowerBound fresh{arrays_of(graph)};
        const double scanned = fresh(i, j);  // the first of its pairs: by a scan of all edges
        EXPECT_EQ(warm(i, j), scanned) << i << ' ' << j << " seed " << seed;
        EXPECT_EQ(whole(i, j), scanned) << i << ' ' << j << " seed " << seed;
      }
    const LowerBound copy = warm;
    EXPECT_EQ(copy(3, 8), warm(3, 8));
    EXPECT_FALSE(warm.has_positions());
    EXPECT_TRUE(warm.fits(25));
    EXPECT_FALSE(warm.fits(24));
    EXPECT_EQ(warm(SurfacePoint(3), SurfacePoint(8)), 0) << "a graph has no points between its vertices";
  }
}

TEST(LowerBound, OfAGraphIsAskedFromSeveralThreads) {
  const Graph graph = testing::random_graph(60, 150, 3);
  const LowerBound alone{graph}, shared{graph};
  std::vector<int> wrong(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      for (Index i = 0; i < 60; ++i)
        for (Index j = 0; j < 60; ++j) wrong[k] += shared(i, j) != LowerBound(alone)(i, j);
    });
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(LowerBound, RefusesEdgesOfVerticesThatAreNotThere) {
  for (const Index wrong : {-1, 5}) {
    const Graph graph{5, {{0, 1, 1}, {1, wrong, 1}}, {}};
    const LowerBound bound{arrays_of(graph)};
    const auto ask = [&] {
      for (int k = 0; k < 10; ++k) bound(0, 1);
    };
    EXPECT_THROW(ask(), InputError);
  }
}

TEST(LowerBound, IsZeroWhereNothingIsKnown) {
  const LowerBound none;
  EXPECT_TRUE(none.fits(7));
  EXPECT_FALSE(none.has_positions());
  EXPECT_EQ(none(2, 5), 0);
}

}  // namespace
}  // namespace geodome::internal
