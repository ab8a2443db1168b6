#include "geodome/landmark/landmarks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

using testing::disjoint_union;
using testing::grid_graph;
using testing::random_graph;

/// Connected or not, with zero-length edges and vertices without neighbours.
std::vector<Graph> graphs() {
  return {grid_graph(12, 9), random_graph(120, 300, 1), random_graph(120, 70, 2),
          disjoint_union(disjoint_union(grid_graph(3, 3), grid_graph(15, 4)), random_graph(60, 160, 3))};
}

Adjacency adjacency_of(const Graph& graph) {
  return make_adjacency(graph.vertices, graph.edges);
}

Landmarks fast(const Graph& graph, const LandmarkOptions& options) {
  return choose_landmarks(*make_graph_cover(adjacency_of(graph)), options);
}

Landmarks slow(const Graph& graph, const LandmarkOptions& options) {
  return choose_landmarks(DijkstraSolver(adjacency_of(graph)), options);
}

LandmarkOptions choose(Index count, LandmarkMethod method = LandmarkMethod::farthest,
                       std::uint64_t seed = 0) {
  return {method, count, seed, {}};
}

LandmarkOptions take(std::vector<Index> given) {
  return {LandmarkMethod::user, 0, 0, std::move(given)};
}

/// The largest distance to the nearest of some vertices, by definition.
double cover_radius(const GeodesicSolver& solver, const Components& components, std::vector<Index> vertices) {
  RowMatrix<double> rows(vertices.size(), solver.size());
  solver.distances(vertices, rows);
  double radius = 0;
  for (Index v = 0; v < solver.size(); ++v)
    if (components.of_vertex[v] >= 0) radius = std::max(radius, rows.col(v).minCoeff());
  return radius;
}

std::string refusal(const Graph& graph, const LandmarkOptions& options) {
  try {
    fast(graph, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << '"' << text << "\" does not say \"" << part << '"';
}

TEST(Landmarks, AreDistinctCoverEveryComponentAndReportTheRadius) {
  for (const Graph& graph : graphs())
    for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
      const Landmarks landmarks = fast(graph, choose(40, method, 5));
      const DijkstraSolver solver(adjacency_of(graph));
      const Components components = find_components(solver.adjacency());
      EXPECT_EQ(std::set<Index>(landmarks.vertices.begin(), landmarks.vertices.end()).size(), 40u);
      EXPECT_EQ(landmarks.components, components.count);
      std::set<Index> covered;
      for (Index k = 0; k < 40; ++k) {
        if (k < components.count) covered.insert(components.of_vertex[landmarks.vertices[k]]);
        const std::vector<Index> first(landmarks.vertices.begin(), landmarks.vertices.begin() + k + 1);
        EXPECT_EQ(landmarks.cover_radius[k], cover_radius(solver, components, first));
      }
      EXPECT_EQ(covered.count(-1), 0u);
      EXPECT_EQ(static_cast<Index>(covered.size()), components.count);
    }
}

TEST(Landmarks, RadiusFallsAndEachFarthestLandmarkIsTheFarthestOfItsComponent) {
  for (const Graph& graph : graphs()) {
    const Landmarks landmarks = fast(graph, choose(45));
    const DijkstraSolver solver(adjacency_of(graph));
    const Components components = find_components(solver.adjacency());
    RowMatrix<double> rows(45, solver.size());
    solver.distances(landmarks.vertices, rows);
    for (Index k = 1; k < 45; ++k) {
      EXPECT_LE(landmarks.cover_radius[k], landmarks.cover_radius[k - 1]);
      if (k < landmarks.components) continue;
      const Eigen::RowVectorXd nearest = rows.topRows(k).colwise().minCoeff();
      const Index own = landmarks.vertices[k];
      for (Index v = 0; v < solver.size(); ++v)
        if (components.of_vertex[v] == components.of_vertex[own]) {
          EXPECT_LE(nearest[v], nearest[own]);
        }
      if (landmarks.components == 1) {
        EXPECT_EQ(nearest[own], landmarks.cover_radius[k - 1]);
      }
    }
    EXPECT_LT(landmarks.cover_radius.back(), infinity);
  }
}

TEST(Landmarks, AreSharedByVerticesAndArea) {
  const TriangleMesh fine = make_sphere(16), coarse = make_sphere(8);
  // In proportion to √(n A): a sphere of four times the vertices, and of a factor of the other's radius.
  for (const auto& [radius, share] : {std::pair(1.0, 2.0), {4.0, 0.5}, {0.5, 4.0}}) {
    const Shape both = apart(fine, TriangleMesh{radius * coarse.points, coarse.triangles});
    const Landmarks landmarks = choose_landmarks(both, choose(250));
    const auto of_fine = std::count_if(landmarks.vertices.begin(), landmarks.vertices.end(),
                                       [&](Index v) { return v < fine.points.rows(); });
    EXPECT_NEAR(static_cast<double>(of_fine), 250 * share / (1 + share), 30) << radius;
  }
}

TEST(Landmarks, FirstOnesAreTheRunWithFewer) {
  for (const Graph& graph : graphs())
    for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
      const Landmarks many = fast(graph, choose(45, method, 9));
      for (Index count = many.components; count < 45; count += 3) {
        const Landmarks few = fast(graph, choose(count, method, 9));
        EXPECT_TRUE(std::equal(few.vertices.begin(), few.vertices.end(), many.vertices.begin()));
        EXPECT_TRUE(std::equal(few.cover_radius.begin(), few.cover_radius.end(), many.cover_radius.begin()));
      }
    }
}

TEST(Landmarks, AreASeedsOwn) {
  for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
    std::set<std::vector<Index>> different;
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      const Landmarks once = fast(grid_graph(12, 9), choose(10, method, seed));
      EXPECT_EQ(once.vertices, fast(grid_graph(12, 9), choose(10, method, seed)).vertices);
      different.insert(once.vertices);
    }
    EXPECT_GT(different.size(), 4u);
  }
}

TEST(Landmarks, LargestComponentComesFirst) {
  const Graph graph = disjoint_union(disjoint_union(grid_graph(2, 2), grid_graph(5, 5)), grid_graph(3, 3));
  const Landmarks landmarks = fast(graph, choose(3));
  EXPECT_TRUE(landmarks.vertices[0] >= 4 && landmarks.vertices[0] < 29);
  EXPECT_TRUE(landmarks.vertices[1] >= 29);
  EXPECT_TRUE(landmarks.vertices[2] < 4);
}

TEST(Landmarks, PrunedUpdatesEqualWholeRows) {
  for (const Graph& graph : graphs())
    for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
      const Landmarks pruned = fast(graph, choose(45, method, 2)), rows = slow(graph, choose(45, method, 2));
      EXPECT_EQ(pruned.vertices, rows.vertices);
      EXPECT_EQ(pruned.cover_radius, rows.cover_radius);
      EXPECT_EQ(pruned.components, rows.components);
    }
}

TEST(Landmarks, GivenOnesAreKeptInTheirOrder) {
  const std::vector<Index> given{17, 3, 90, 41};
  const Landmarks landmarks = fast(grid_graph(12, 9), take(given));
  EXPECT_EQ(landmarks.vertices, given);
  EXPECT_EQ(landmarks.cover_radius, slow(grid_graph(12, 9), take(given)).cover_radius);
}

TEST(Landmarks, CanBeEveryVertexAtADistinctPlace) {
  Graph graph = grid_graph(4, 4);
  for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
    EXPECT_EQ(fast(graph, choose(16, method)).cover_radius.back(), 0);
    expect_contains(refusal(graph, choose(17, method)), "17 landmarks are more than the 16 vertices");
  }
  graph.edges.push_back({0, 1, 0});
  for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
    EXPECT_EQ(fast(graph, choose(15, method)).cover_radius.back(), 0);
    expect_contains(refusal(graph, choose(16, method)), "16 landmarks are more than the 15 vertices");
  }
}

TEST(Landmarks, RefuseNamesTheCause) {
  Graph graph = disjoint_union(grid_graph(4, 4), grid_graph(2, 2));
  graph.vertices += 1;
  expect_contains(refusal(graph, choose(1)), "1 landmarks cannot cover 2 components");
  expect_contains(refusal(graph, choose(21)), "21 landmarks are more than the 20 vertices");
  expect_contains(refusal(graph, take({0, 16, 21})), "landmark 21 is out of range [0, 21)");
  expect_contains(refusal(graph, take({0, -4})), "landmark -4 is out of range [0, 21)");
  expect_contains(refusal(graph, take({0, 17, 20})), "landmark 20 has no neighbour");
  expect_contains(refusal(graph, take({0, 17, 0})), "landmark 0 occurs twice");
  expect_contains(refusal(graph, take({0, 1, 2})), "miss 1 of 2 components");
  graph.edges.push_back({0, 1, 0});
  expect_contains(refusal(graph, take({0, 17, 1})), "landmark 1 is at distance zero");
  Graph empty;
  empty.vertices = 3;
  expect_contains(refusal(empty, choose(1)), "no two vertices are connected");
}

TEST(Landmarks, ComeFromShapesOfEveryKind) {
  const TriangleMesh sphere = make_sphere(6);
  PolygonMesh polygons{sphere.points, {}, {0}};
  for (Index f = 0; f < sphere.triangles.rows(); ++f) {
    for (int k = 0; k < 3; ++k) polygons.corners.push_back(sphere.triangles(f, k));
    polygons.offsets.push_back(3 * f + 3);
  }
  for (const Shape& shape :
       {Shape(sphere), Shape(polygons), Shape(PointCloud{sphere.points, {}}),
        Shape(Samples{RowMatrix<double>(sphere.points)}), Shape(grid_graph(20, 20, 0.15))}) {
    const Landmarks landmarks = choose_landmarks(shape, choose(30));
    EXPECT_EQ(landmarks.vertices.size(), 30u) << kind_name(shape);
    EXPECT_EQ(landmarks.components, 1) << kind_name(shape);
    // Thirty balls of this radius cover a unit sphere; a grid of this size too.
    EXPECT_GT(landmarks.cover_radius.back(), 0.3) << kind_name(shape);
    EXPECT_LT(landmarks.cover_radius.back(), 0.75) << kind_name(shape);
  }
}

TEST(Landmarks, CanBeCancelled) {
  int calls = 0;
  const Execution execution{1, [&](std::string_view, double) { return ++calls < 5; }};
  EXPECT_THROW(choose_landmarks(*make_graph_cover(adjacency_of(grid_graph(9, 9))), choose(20), execution),
               Cancelled);
  EXPECT_EQ(calls, 5);
}

TEST(Landmarks, TakesAllThereAreIfTold) {
  TriangleMesh mesh = make_plane(3, 3);
  mesh.points.row(1) = mesh.points.row(0);  // two vertices at one place
  const auto vertices = static_cast<Index>(mesh.points.rows());
  for (const LandmarkMethod method : {LandmarkMethod::farthest, LandmarkMethod::random}) {
    LandmarkOptions options;
    options.method = method;
    for (const Index count : {vertices, vertices + 10}) {
      options.count = count;
      options.or_all = false;
      EXPECT_THROW(choose_landmarks(mesh, options), InputError);
      options.or_all = true;
      EXPECT_EQ(static_cast<Index>(choose_landmarks(mesh, options).vertices.size()), vertices - 1);
    }
  }
}

}  // namespace
}  // namespace geodome::internal
