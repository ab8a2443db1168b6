/// Paths by descent end at the source on any mesh, never leave the surface, and are little longer than the
/// shortest ones.
#include "geodome/geodesic/descent.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "geodesic/exact/exact_shapes.h"
#include "geodesic/on_surface.h"
#include "geodesic/soups.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/path.h"

namespace geodome::testing {

using namespace internal;

namespace {

constexpr GeodesicMethod approximate[] = {GeodesicMethod::fast_marching, GeodesicMethod::fast_marching_1ring,
                                          GeodesicMethod::carried, GeodesicMethod::heat};

/// By how much paths are longer than exact distances, as parts of these.
struct Excess {
  double sum = 0;
  double largest = 0;
  double least = infinity;
  int paths = 0;

  void add(double length, double exact) {
    const double excess = length / exact - 1;
    sum += excess;
    largest = std::max(largest, excess);
    least = std::min(least, excess);
    ++paths;
  }
  double mean() const { return sum / paths; }
};

bool on_one_face(const Surface& surface, const HalfEdges& edges, const EdgePoint& p, const EdgePoint& q) {
  for (const Index h : edges.corners(p.a)) {
    const auto face = surface.triangles.row(h / 3);
    const auto has = [&](Index v) { return face[0] == v || face[1] == v || face[2] == v; };
    if (has(p.b) && has(q.a) && has(q.b)) return true;
  }
  return false;
}

void expect_on_surface(const Surface& surface, const HalfEdges& edges, const std::vector<EdgePoint>& path,
                       Index source, Index target) {
  ASSERT_TRUE(path.front().is_vertex() && path.front().a == source);
  ASSERT_TRUE(path.back().is_vertex() && path.back().a == target);
  for (const EdgePoint& point : path) ASSERT_TRUE(point.part >= 0 && point.part <= 1);
  for (std::size_t p = 1; p < path.size(); ++p)
    ASSERT_TRUE(on_one_face(surface, edges, path[p - 1], path[p])) << source << " to " << target;
}

/// Traces from every vertex of the component of vertex 0 to it, and returns how much longer the paths are.
Excess descend_everywhere(const Surface& surface, const Vector& values, const Vector& exact,
                          bool straighten) {
  const HalfEdges edges(surface.points, surface.triangles);
  const std::span<const double> field(values.data(), static_cast<std::size_t>(values.size()));
  Excess excess;
  for (Index v = 1; v < surface.points.rows(); ++v) {
    if (surface.component[v] != surface.component[0]) continue;
    std::vector<EdgePoint> path = descend(edges, field, 0, v);
    expect_on_surface(surface, edges, path, 0, v);
    if (straighten) {
      const double before = length_of(surface.points, path);
      path = straightened(surface, edges, std::move(path));
      expect_on_surface(surface, edges, path, 0, v);
      EXPECT_LE(length_of(surface.points, path), before);
    }
    excess.add(length_of(surface.points, path), exact[v]);
  }
  return excess;
}

/// A surface, and exact distances from its first vertex.
struct Subject {
  Surface surface;
  TriangleMesh mesh;
  Vector exact;

  explicit Subject(const TriangleMesh& from)
      : surface(prepare_surface(from)),
        mesh{surface.points, surface.triangles},
        exact(distances_from(ExactSolver(mesh), 0)) {}
};

// Little means 5 % before it is pulled straight, and 0.5 % after that.
TEST(Descent, OfDistancesIsLittleLongerThanTheShortestPath) {
  for (const TriangleMesh& mesh : good_shapes()) {
    const Subject on(mesh);
    for (const GeodesicMethod method : approximate) {
      SCOPED_TRACE(text(geodesic_method_name(method), " on ", mesh.points.rows(), " vertices"));
      const Vector values = distances_from(*make_solver(on.mesh, {.method = method}), 0);
      const Excess steepest = descend_everywhere(on.surface, values, on.exact, false),
                   straight = descend_everywhere(on.surface, values, on.exact, true);
      EXPECT_LT(steepest.mean(), 0.05);
      EXPECT_LT(straight.mean(), 0.005);
      EXPECT_LT(straight.largest, 0.15);
      EXPECT_GE(straight.least, -1e-12);
    }
  }
}

// On a plane distances are straight lines.
TEST(Descent, IsStraightOnAPlane) {
  const Subject on(roughened(make_plane(12, 9), 0, 0));
  const Vector values = distances_from(*make_solver(on.mesh, {.method = GeodesicMethod::heat}), 0);
  EXPECT_LT(descend_everywhere(on.surface, values, on.exact, true).largest, 1e-12);
}

// Any numbers: many local minima, equal values, infinite ones.
TEST(Descent, EndsAtTheSourceWhateverTheValues) {
  std::mt19937 generator(5);
  for (const TriangleMesh& mesh : good_shapes()) {
    const Subject on(mesh);
    const auto any = [&](int kind) {
      const double value = noise(generator);
      return kind == 0 ? value : kind == 1 ? std::round(2 * value) : value > 0.5 ? infinity : 0;
    };
    for (int kind = 0; kind < 3; ++kind) {
      Vector values(on.surface.points.rows());
      for (double& value : values) value = any(kind);
      EXPECT_GE(descend_everywhere(on.surface, values, on.exact, kind == 0).least, -1e-12);
    }
  }
}

// Slivers and needles, edges of many triangles, coincident vertices.
TEST(Descent, EndsAtTheSourceOnBadMeshes) {
  for (const Family& family : bad_families())
    for (unsigned seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(text(family.name, " ", seed));
      Dice dice(seed);
      const TriangleMesh mesh = family.make(dice, random_width(dice));
      if (prepare_surface(mesh).points.rows() == 0) continue;
      const Subject on(mesh);
      const Vector values =
          distances_from(*make_solver(on.mesh, {.method = GeodesicMethod::fast_marching}), 0);
      // Around slivers distances themselves are exact to 1e-12 of the size of the shape only.
      EXPECT_GE(descend_everywhere(on.surface, values, on.exact, true).least, -1e-6);
    }
}

/// What approximate paths to all vertices have in common with the exact ones; returns the largest excess.
double expect_paths(const TriangleMesh& mesh, const SurfacePoint& source, const GeodesicOptions& options) {
  const Faces faces(mesh);
  const auto exact = shortest_paths(mesh, source, all_vertices(mesh), {.keep = options.keep});
  const auto paths = shortest_paths(mesh, source, all_vertices(mesh), options);
  double largest = 0;
  for (std::size_t v = 0; v < paths.size(); ++v) {
    const ShortestPath& path = paths[v];
    EXPECT_TRUE(exact[v].exact);
    EXPECT_FALSE(path.exact);
    EXPECT_EQ(path.points.empty(), exact[v].points.empty());
    if (path.points.empty()) {
      EXPECT_EQ(path.length, infinity);
      continue;
    }
    EXPECT_EQ(path.points.front(), exact[v].points.front());
    EXPECT_EQ(path.points.back(), exact[v].points.back());
    for (std::size_t p = 1; p < path.points.size(); ++p)
      EXPECT_TRUE(faces.hold(path.points[p - 1], path.points[p])) << "to " << v;
    for (const SurfacePoint& point : path.points)
      for (const Index corner : corners_of(point))
        EXPECT_TRUE(options.keep.empty() || options.keep[static_cast<std::size_t>(corner)]);
    EXPECT_GE(path.length, exact[v].length * (1 - 1e-12));
    largest = std::max(largest, path.length - exact[v].length);
  }
  return largest;
}

TEST(PathByDescent, IsOnTheSurfaceAndNeverShorterThanTheShortest) {
  for (const TriangleMesh& mesh : good_shapes())
    for (const GeodesicMethod method : approximate) expect_paths(mesh, SurfacePoint(1), {.method = method});
}

TEST(PathByDescent, RunsBetweenPointsOffTheVertices) {
  const TriangleMesh mesh = roughened(make_sphere(6), 0.15, 0.02);
  const auto face = [&](Index f) {
    return std::array<Index, 3>{mesh.triangles(f, 0), mesh.triangles(f, 1), mesh.triangles(f, 2)};
  };
  const SurfacePoint a(face(4), {0.2, 0.3, 0.5}), b(face(4), {0.7, 0.2, 0.1}), c(face(99), {0.5, 0.5, 0});
  for (const GeodesicMethod method : approximate) {
    expect_paths(mesh, a, {.method = method});
    for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      const double exact = shortest_path(mesh, from, to).length;
      const ShortestPath path = shortest_path(mesh, from, to, {.method = method});
      EXPECT_GE(path.length, exact * (1 - 1e-12));
      EXPECT_LE(path.length, exact * 1.05);
    }
    EXPECT_NEAR(shortest_path(mesh, a, b, {.method = method}).length, shortest_path(mesh, a, b).length,
                1e-12);
    EXPECT_EQ(shortest_path(mesh, a, a, {.method = method}).length, 0);
  }
}

TEST(PathByDescent, GoesAroundWhatTheMaskLeavesOut) {
  const TriangleMesh mesh = make_plane(21, 21);
  GeodesicOptions options;
  for (Index v = 0; v < mesh.points.rows(); ++v)
    options.keep.push_back((mesh.points.row(v).leftCols(2).array() - 0.5).matrix().norm() >= 0.3);
  for (const GeodesicMethod method : approximate) {
    options.method = method;
    EXPECT_LT(expect_paths(mesh, SurfacePoint(10 * 21), options), 0.02);
  }
}

TEST(PathByDescent, ScalesWithTheShape) {
  const TriangleMesh mesh = roughened(make_sphere(5), 0.15, 0.02);
  const GeodesicOptions options{.method = GeodesicMethod::carried};
  const ShortestPath path = shortest_path(mesh, SurfacePoint(0), SurfacePoint(77), options);
  for (const double scale : {1e-8, 1e8, 1e-200, 1e200}) {
    TriangleMesh scaled = mesh;
    scaled.points *= scale;
    const ShortestPath other = shortest_path(scaled, SurfacePoint(0), SurfacePoint(77), options);
    EXPECT_NEAR(other.length / scale, path.length, 1e-9 * path.length);
    EXPECT_EQ(other.points.size(), path.points.size());
  }
}

TEST(PathByDescent, CanBeCancelledBetweenPaths) {
  const TriangleMesh mesh = make_sphere(4);
  double reached = 0;
  const Execution execution{1, [&](std::string_view stage, double fraction) {
                              if (stage == "paths") reached = fraction;
                              return reached < 0.5;
                            }};
  EXPECT_THROW(
      shortest_paths(mesh, SurfacePoint(0), all_vertices(mesh), {.method = GeodesicMethod::heat}, execution),
      Cancelled);
  EXPECT_LT(reached, 0.6);
}

TEST(PathByDescent, UsesTheSolverAtHand) {
  const TriangleMesh mesh = roughened(make_torus(30, 14), 0.15, 0.03);
  const auto targets = all_vertices(mesh);
  for (const GeodesicMethod method : approximate) {
    const GeodesicOptions options{.method = method};
    const auto solver = make_solver(mesh, options);
    const auto with = shortest_paths(mesh, *solver, SurfacePoint(7), targets, options),
               without = shortest_paths(mesh, SurfacePoint(7), targets, options);
    const Vector row = distances_from(*solver, 7);
    for (std::size_t v = 0; v < with.size(); ++v) {
      EXPECT_EQ(with[v].points, without[v].points);
      EXPECT_EQ(with[v].distance, row[static_cast<Eigen::Index>(v)]);
    }
    EXPECT_THROW(shortest_paths(make_plane(3, 3), *solver, SurfacePoint(7), targets, options), InputError);
  }
}

}  // namespace
}  // namespace geodome::testing
