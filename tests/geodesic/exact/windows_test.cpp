/// Exact distances where no closed form is known: against a slow twin, and by what every distance must
/// satisfy.
#include "geodome/geodesic/exact/windows.h"

#include <gtest/gtest.h>

#include <numeric>
#include <queue>
#include <thread>

#include "exact_shapes.h"
#include "geodesic/soups.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/factory.h"

namespace geodome::testing {

using namespace internal;

namespace {

std::vector<std::pair<std::string, TriangleMesh>> families() {
  return {{"rough sphere", roughened(make_sphere(5), 0.15, 0.02)},
          {"rough plane", roughened(make_plane(12, 12), 0.1, 0.02)},
          {"rough torus", roughened(make_torus(18, 9), 0.1, 0.03)},
          {"cylinder", make_cylinder(14, 7)},
          {"box", make_box(4)},
          {"rough book", roughened(make_book(3, 5, 7).mesh, 0.2, 0.04)},
          {"two components", joined(roughened(make_sphere(3), 0.2, 0), make_plane(5, 6))}};
}

std::string testing_name(const std::string& family, unsigned seed) {
  return family + ", seed " + std::to_string(seed);
}

/// Shortest paths in the graph of `cuts` equally spaced points on every edge, joined within every triangle:
/// an upper bound for any mesh whatever, that tends to the distance.
Vector through_edge_points(const TriangleMesh& mesh, Index source, int cuts) {
  std::vector<Eigen::RowVector3d> points;
  for (Index v = 0; v < mesh.points.rows(); ++v) points.emplace_back(mesh.points.row(v));
  std::map<std::pair<Index, Index>, Index> first_on_edge;
  std::vector<std::vector<Index>> faces, faces_of(points.size());
  for (Index f = 0; f < mesh.triangles.rows(); ++f) {
    std::vector<Index> members;
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = std::minmax({mesh.triangles(f, k), mesh.triangles(f, (k + 1) % 3)});
      members.push_back(mesh.triangles(f, k));
      const auto [place, isnew] = first_on_edge.try_emplace({a, b}, static_cast<Index>(points.size()));
      for (int c = 1; c <= cuts; ++c) {
        if (isnew)
          points.emplace_back(mesh.points.row(a) +
                              (mesh.points.row(b) - mesh.points.row(a)) * c / (cuts + 1));
        members.push_back(place->second + c - 1);
      }
    }
    faces_of.resize(points.size());
    for (const Index v : members) faces_of[v].push_back(static_cast<Index>(faces.size()));
    faces.push_back(members);
  }
  std::vector<double> distance(points.size(), infinity);
  std::priority_queue<std::pair<double, Index>> queue;
  distance[source] = 0;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [negative, v] = queue.top();
    queue.pop();
    if (-negative > distance[v]) continue;
    for (const Index f : faces_of[v])
      for (const Index w : faces[f])
        if (const double through = distance[v] + (points[v] - points[w]).norm(); through < distance[w]) {
          distance[w] = through;
          queue.push({-through, w});
        }
  }
  return Eigen::Map<Vector>(distance.data(), mesh.points.rows());
}

void expect_just_below(const Vector& exact, const Vector& bound, double slack) {
  for (Index v = 0; v < exact.size(); ++v) {
    ASSERT_EQ(exact[v] == infinity, bound[v] == infinity) << v;
    if (exact[v] == infinity) continue;
    ASSERT_LE(exact[v], bound[v] * (1 + 1e-12)) << v;
    ASSERT_GE(exact[v], bound[v] * (1 - slack)) << v;
  }
}

TEST(Windows, AgreeWithTheSlowTwin) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const ExactSolver solver(mesh);
    const Index source = solver.size() / 4;
    expect_just_below(distances_from(solver, source), through_edge_points(mesh, source, 20), 3e-3);
  }
}

// Triangles between random corners of a few points: every edge branches, fans meet anywhere, nothing is
// oriented.
TEST(Windows, AgreeWithTheSlowTwinOnSoups) {
  std::mt19937 generator(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Index vertices = 5 + trial % 5, triangles = vertices + trial % 7;
    std::vector<Eigen::RowVector3d> points(vertices);
    for (auto& p : points) p = {noise(generator), noise(generator), noise(generator)};
    std::vector<Face> faces;
    while (static_cast<Index>(faces.size()) < triangles) {
      const auto pick = [&] { return static_cast<Index>(generator() % vertices); };
      const Face face{pick(), pick(), pick()};
      if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces.push_back(face);
    }
    const TriangleMesh mesh = make_mesh(points, faces);
    const Index source = faces[0][0];
    Vector bound = through_edge_points(mesh, source, 40);
    expect_just_below(distances_from(ExactSolver(mesh), source), bound, 2e-3);
  }
}

/// What every distance satisfies, to 1e-6 of it or rounding of the shape.
void expect_metric(const TriangleMesh& mesh, const RowMatrix<double>& d) {
  const double size = (mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff()).norm();
  const auto allowed = [&](double distance) { return 1e-6 * distance + 1e-12 * size; };
  for (Index i = 0; i < d.rows(); ++i) {
    ASSERT_EQ(d(i, i), 0);
    for (Index j = 0; j < d.cols(); ++j) {
      ASSERT_FALSE(std::isnan(d(i, j)));
      ASSERT_EQ(d(i, j) == infinity, d(j, i) == infinity) << i << " to " << j;
      if (d(i, j) == infinity) continue;
      ASSERT_NEAR(d(i, j), d(j, i), allowed(d(i, j))) << i << " to " << j;
      ASSERT_GE(d(i, j), (mesh.points.row(i) - mesh.points.row(j)).norm() - allowed(d(i, j)));
      for (Index k = 0; k < d.rows(); ++k) ASSERT_LE(d(i, j), d(i, k) + d(k, j) + allowed(d(i, j)));
    }
  }
}

TEST(Windows, GiveAMetricOnSliversAndSoups) {
  for (const Family& family : bad_families())
    for (unsigned seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE(testing_name(family.name, seed));
      Dice dice(seed);
      const double width = random_width(dice);
      const TriangleMesh mesh = family.make(dice, width);
      const RowMatrix<double> d = all_distances(ExactSolver(mesh));
      expect_metric(mesh, d);
      if (HasFatalFailure()) return;
      // Paths through points on the edges cannot be shorter.
      const Index source = static_cast<Index>(seed) % static_cast<Index>(d.rows());
      const Vector bound = through_edge_points(mesh, source, 5);
      const double size = d.array().isFinite().select(d, 0).maxCoeff();
      for (Index v = 0; v < d.cols(); ++v) ASSERT_LE(d(source, v), bound[v] * (1 + 1e-6) + 1e-12 * size) << v;
    }
}

// Around the tip of a needle straight paths wind as often as it is thin.
TEST(Windows, StayFewOnSlivers) {
  const auto most_windows = [](const TriangleMesh& mesh) {
    const Surface surface = prepare_surface(mesh);
    const HalfEdges edges(surface.points, surface.triangles);
    WindowPropagation windows(edges);
    std::int64_t most = 0;
    for (Index source = 0; source < edges.vertices(); ++source) {
      windows.run(source);
      most = std::max(most, windows.counts().windows);
    }
    return most;
  };
  const std::int64_t sphere = most_windows(make_sphere(1));  // 20 faces
  for (const auto& make : {thin_grid, squashed_sphere, spike})
    for (unsigned seed = 0; seed < 60; ++seed) {
      Dice dice(seed);
      const double width = std::pow(10, -1 - 12.0 * seed / 60);
      const TriangleMesh mesh = make(dice, width);
      ASSERT_LE(mesh.triangles.rows(), 24);
      EXPECT_LE(most_windows(mesh), 100 * sphere) << "width " << width << ", seed " << seed;
    }
}

// On flat ground rays pass through one vertex after the other, and windows that touch there must not
// multiply.
TEST(Windows, StayFewOnDevelopableSurfaces) {
  for (const TriangleMesh& mesh : {make_plane(90, 70), make_swiss_roll(120, 60)}) {
    const Surface surface = prepare_surface(mesh);
    const HalfEdges edges(surface.points, surface.triangles);
    WindowPropagation windows(edges);
    for (Index source = 0; source < edges.vertices(); source += 977) {
      windows.run(source);
      EXPECT_TRUE(windows.counts().complete);
      EXPECT_LT(static_cast<double>(windows.counts().windows),
                2 * std::pow(static_cast<double>(mesh.triangles.rows()), 1.5));
    }
  }
}

TEST(Windows, NeedNoRepair) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const Surface surface = prepare_surface(split_at_midpoints(mesh));
    const HalfEdges edges(surface.points, surface.triangles);
    WindowPropagation windows(edges);
    for (Index source = 0; source < edges.vertices(); source += 37) {
      windows.run(source);
      EXPECT_EQ(windows.counts().repairs, 0);
    }
  }
}

// Flat pieces are full of rays through several vertices, where windows meet and neither may be dropped.
TEST(Windows, DoNotNoticeMidpoints) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const ExactSolver coarse(mesh), fine(split_at_midpoints(split_at_midpoints(mesh)));
    for (const Index source : {Index{0}, coarse.size() / 2, coarse.size() - 1}) {
      const Vector expected = distances_from(coarse, source), found = distances_from(fine, source);
      for (Index v = 0; v < coarse.size(); ++v)
        if (expected[v] < infinity) {
          ASSERT_NEAR(found[v], expected[v], 1e-12 * expected[v]) << v;
        }
    }
  }
}

TEST(Windows, GiveAMetric) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const RowMatrix<double> d = all_distances(ExactSolver(mesh));
    const double size = 1e-12 * d.array().isFinite().select(d, 0).maxCoeff();
    std::mt19937 generator(5);
    for (Index i = 0; i < d.rows(); ++i) {
      EXPECT_EQ(d(i, i), 0);
      for (Index j = 0; j < d.cols(); ++j) {
        ASSERT_EQ(d(i, j) == infinity, d(j, i) == infinity);
        if (d(i, j) == infinity) continue;
        ASSERT_NEAR(d(i, j), d(j, i), size);
        ASSERT_GE(d(i, j), (mesh.points.row(i) - mesh.points.row(j)).norm() - size);
        const Index k = static_cast<Index>(generator() % d.rows());
        ASSERT_LE(d(i, j), d(i, k) + d(k, j) + size);
      }
    }
  }
}

TEST(Windows, ScaleWithTheShape) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const Vector plain = distances_from(ExactSolver(mesh), 1);
    for (const double scale : {1e-8, 1e8}) {
      TriangleMesh other = mesh;
      other.points *= scale;
      const Vector scaled = distances_from(ExactSolver(other), 1);
      for (Index v = 0; v < plain.size(); ++v)
        if (plain[v] < infinity) {
          ASSERT_NEAR(scaled[v], scale * plain[v], 1e-12 * scale * plain[v]);
        }
    }
  }
}

TEST(Windows, DoNotDependOnNumberingOrOrientation) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const Index count = static_cast<Index>(mesh.points.rows());
    std::mt19937 generator(11);
    std::vector<Index> to(count);
    std::iota(to.begin(), to.end(), 0);
    std::shuffle(to.begin(), to.end(), generator);
    TriangleMesh other = mesh;
    for (Index v = 0; v < count; ++v) other.points.row(to[v]) = mesh.points.row(v);
    for (Index f = 0; f < mesh.triangles.rows(); ++f) {
      for (int k = 0; k < 3; ++k) other.triangles(f, k) = to[mesh.triangles(f, k)];
      if (generator() % 2) std::swap(other.triangles(f, 0), other.triangles(f, 1));
    }
    const Vector expected = distances_from(ExactSolver(mesh), 2),
                 found = distances_from(ExactSolver(other), to[2]);
    for (Index v = 0; v < count; ++v) {
      if (expected[v] == infinity)
        ASSERT_EQ(found[to[v]], infinity);
      else
        ASSERT_NEAR(found[to[v]], expected[v], 1e-12 * expected[v]);
    }
  }
}

TEST(Windows, WithinARadiusAreTheNearVerticesOfTheRow) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const ExactSolver solver(mesh);
    const Index source = solver.size() / 3;
    const Vector row = distances_from(solver, source);
    const double farthest = row.array().isFinite().select(row, 0).maxCoeff();
    for (const double part : {0.0, 0.1, 0.37, 0.8, 2.0}) {
      const double radius = part * farthest;
      const std::vector<Neighbour> near = solver.within(source, radius);
      std::vector<char> listed(solver.size(), 0);
      double last = 0;
      for (const Neighbour& neighbour : near) {
        EXPECT_LE(neighbour.distance, radius);
        EXPECT_GE(neighbour.distance, last);
        EXPECT_NEAR(neighbour.distance, row[neighbour.vertex], 1e-12 * farthest);
        last = neighbour.distance;
        listed[neighbour.vertex] = 1;
      }
      for (Index v = 0; v < solver.size(); ++v)
        if (std::abs(row[v] - radius) > 1e-12 * farthest || v == source) {
          EXPECT_EQ(listed[v] != 0, row[v] <= radius) << v;
        }
    }
  }
}

TEST(Windows, WithinARadiusCostInProportionToTheBall) {
  const Surface surface = prepare_surface(roughened(make_plane(60, 60), 0, 0.001));
  const HalfEdges edges(surface.points, surface.triangles);
  WindowPropagation windows(edges);
  const Index source = edges.vertices() / 2;
  windows.run(source);
  const auto whole = windows.counts().windows;
  windows.run(source, 0.05);
  EXPECT_LT(windows.counts().windows, whole / 20);
  EXPECT_LT(windows.reached().size(), 600u);
}

// On triangles without area rounding multiplies the windows, here and there up to their bound.
TEST(Windows, AreReportedWhereTheirBoundEndsARun) {
  const std::vector<Family> families = bad_families();
  const auto collinear = std::find_if(families.begin(), families.end(),
                                      [](const Family& one) { return one.name == "collinear grid"; });
  ASSERT_NE(collinear, families.end());
  for (unsigned seed = 0; seed < 500; ++seed) {
    Dice dice(seed);
    const ExactSolver solver(collinear->make(dice, 1));
    const HalfEdges edges(solver.surface().points, solver.surface().triangles);
    WindowPropagation windows(edges);
    std::int64_t incomplete = 0;
    for (Index v = 0; v < solver.size(); ++v) {
      if (solver.surface().of_input[v] < 0) continue;
      windows.run(solver.surface().of_input[v]);
      incomplete += !windows.counts().complete;
      distances_from(solver, v);
      ASSERT_EQ(solver.incomplete_runs(), incomplete) << "seed " << seed << ", source " << v;
      ASSERT_EQ(solver_warnings(solver).empty(), incomplete == 0);
    }
  }
}

// More windows than are carried at once wait on some edges near the opposite pole, while the memory for
// further ones runs out and is moved.
TEST(Windows, MayWaitInLargeNumbersOnOneEdge) {
  const Surface surface = prepare_surface(make_sphere(40));
  const HalfEdges edges(surface.points, surface.triangles);
  const auto count = static_cast<Index>(surface.points.rows());
  const Eigen::RowVector3d centre = surface.points.colwise().mean();
  const double radius = (surface.points.row(0) - centre).norm();
  for (const Index source : {count * 11 / 12, count / 12}) {
    WindowPropagation windows(edges);
    windows.run(source);
    for (Index v = 0; v < count; ++v) {
      const double chord = (surface.points.row(v) - surface.points.row(source)).norm();
      const double arc = 2 * radius * std::asin(std::min(1.0, chord / (2 * radius)));
      EXPECT_NEAR(windows.distance(v), arc, 2e-3 * radius);
      EXPECT_GE(windows.distance(v), chord * (1 - 1e-12));
    }
  }
}

TEST(Windows, AreTheSameOnAnyNumberOfThreadsAndWhenUsedAgain) {
  const TriangleMesh mesh = roughened(make_sphere(6), 0.15, 0.02);
  const ExactSolver solver(mesh);
  std::vector<Index> sources(40);
  std::iota(sources.begin(), sources.end(), 3);
  RowMatrix<double> one(40, solver.size()), three = one, again = one;
  solver.distances(sources, one, Execution{1, {}});
  solver.distances(sources, three, Execution{3, {}});
  (void)solver.within(5, 0.3);
  solver.distances(sources, again, Execution{1, {}});
  EXPECT_TRUE(one == three);
  EXPECT_TRUE(one == again);
}

// The callback says no while the first and only row is computed.
TEST(Windows, StopInsideARow) {
  const ExactSolver solver(make_sphere(60));
  const Index source = 0;
  RowMatrix<double> row(1, solver.size());
  int calls = 0;
  const Execution cancelled{1, [&](std::string_view, double fraction) {
                              ++calls;
                              return fraction == 1;
                            }};
  EXPECT_THROW(solver.distances(std::span(&source, 1), row, cancelled), Cancelled);
  EXPECT_EQ(calls, 1);
  // What was left undone is not in the next row.
  EXPECT_TRUE(distances_from(solver, 7) == distances_from(ExactSolver(make_sphere(60)), 7));
}

TEST(Windows, RefuseASourceThatIsNotThere) {
  const ExactSolver solver(make_plane(3, 3));
  EXPECT_THROW((void)solver.within(9, 1), InputError);
  EXPECT_THROW((void)solver.within(-1, 1), InputError);
  EXPECT_THROW((void)distances_from(solver, 9), InputError);
}

}  // namespace
}  // namespace geodome::testing
