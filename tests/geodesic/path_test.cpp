/// Paths have the length of the exact distance and never leave the surface.
#include "geodome/geodesic/path.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "geodesic/exact/exact_shapes.h"
#include "geodesic/on_surface.h"
#include "geodesic/soups.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/factory.h"

namespace geodome::testing {

using namespace internal;

namespace {

/// Every path from `source` is on the surface and has the length of the exact distance.
void expect_shortest(const TriangleMesh& mesh, Index source, double tolerance = 1e-9) {
  const Faces faces(mesh);
  const Vector exact = distances_from(ExactSolver(mesh), source);
  const auto paths = shortest_paths(mesh, SurfacePoint(source), all_vertices(mesh));
  const double size = (mesh.points.colwise().maxCoeff() - mesh.points.colwise().minCoeff()).norm();
  for (Index v = 0; v < mesh.points.rows(); ++v) {
    const ShortestPath& path = paths[v];
    if (exact[v] == infinity) {
      EXPECT_TRUE(path.points.empty());
      EXPECT_EQ(path.length, infinity);
      continue;
    }
    ASSERT_EQ(path.points.front(), SurfacePoint(source));
    ASSERT_EQ(path.points.back(), SurfacePoint(v));
    ASSERT_EQ(path.positions.rows(), static_cast<Eigen::Index>(path.points.size()));
    ASSERT_NEAR(path.distance, exact[v], 1e-12 * exact[v]);
    // Around slivers distances themselves are exact to 1e-12 of the size of the shape only.
    ASSERT_NEAR(path.length, exact[v], tolerance * exact[v] + 1e-12 * size) << source << " to " << v;
    for (std::size_t p = 1; p < path.points.size(); ++p)
      ASSERT_TRUE(faces.hold(path.points[p - 1], path.points[p])) << source << " to " << v << " at " << p;
  }
}

TEST(Path, IsAsLongAsTheExactDistance) {
  for (const TriangleMesh& mesh : good_shapes())
    for (const Index source : {Index{0}, static_cast<Index>(mesh.points.rows() / 3)})
      expect_shortest(mesh, source);
}

// Slivers and needles, edges of many triangles, coincident vertices.
TEST(Path, IsAsLongAsTheExactDistanceOnBadMeshes) {
  for (const Family& family : bad_families())
    for (unsigned seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE(family.name + " " + std::to_string(seed));
      Dice dice(seed);
      const TriangleMesh mesh = family.make(dice, random_width(dice));
      expect_shortest(mesh, 0, 1e-6);
    }
}

// The middle of a face, a point on an edge, two in one face, one at a vertex: as far as if they were vertices
// of a finer mesh.
TEST(Path, RunsBetweenPointsOffTheVertices) {
  for (const TriangleMesh& mesh : good_shapes()) {
    const TriangleMesh finer = split_at_midpoints(mesh);
    const ExactSolver solver(finer);
    const auto corner = [&](Index f, int k) { return mesh.triangles(f, k % 3); };
    std::vector<SurfacePoint> points;
    std::vector<Index> vertices;
    for (const Index f : {Index{0}, static_cast<Index>(mesh.triangles.rows() / 2)})
      for (int k = 0; k < 3; ++k) {
        points.push_back({{corner(f, k), corner(f, k + 1), 0}, {0.5, 0.5, 0}});
        const Eigen::RowVector3d middle =
            (mesh.points.row(corner(f, k)) + mesh.points.row(corner(f, k + 1))) / 2;
        Index nearest = 0;
        (finer.points.rowwise() - middle).rowwise().norm().minCoeff(&nearest);
        vertices.push_back(nearest);
      }
    points.push_back({{corner(0, 2), corner(0, 0), corner(0, 1)}, {0, 1, 0}});
    vertices.push_back(corner(0, 0));
    const Faces faces(mesh);
    for (std::size_t s = 0; s < points.size(); ++s) {
      const auto paths = shortest_paths(mesh, points[s], points);
      const Vector exact = distances_from(solver, vertices[s]);
      for (std::size_t t = 0; t < points.size(); ++t) {
        const double expected = exact[vertices[t]];
        if (expected == infinity) {
          EXPECT_TRUE(paths[t].points.empty());
          continue;
        }
        ASSERT_NEAR(paths[t].length, expected, 1e-9 * expected) << s << " to " << t;
        for (std::size_t p = 1; p < paths[t].points.size(); ++p)
          ASSERT_TRUE(faces.hold(paths[t].points[p - 1], paths[t].points[p])) << s << " to " << t;
      }
    }
  }
}

TEST(Path, IsStraightInsideAFace) {
  const TriangleMesh mesh = make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}});
  const std::vector<SurfacePoint> points = {{{0, 1, 2}, {0.2, 0.3, 0.5}},
                                            {{2, 1, 0}, {0.1, 0.1, 0.8}},
                                            {{0, 1, 2}, {0.25, 0.5, 0.25}},
                                            {{0, 1, 2}, {0.5, 0.5, 0}}};
  const auto at = [&](const SurfacePoint& point) {
    Eigen::RowVector3d position = Eigen::RowVector3d::Zero();
    for (int k = 0; k < 3; ++k) position += point.weight[k] * mesh.points.row(point.vertex[k]);
    return position;
  };
  for (const SurfacePoint& from : points) {
    const auto paths = shortest_paths(mesh, from, points);
    for (std::size_t t = 0; t < points.size(); ++t) {
      EXPECT_NEAR(paths[t].length, (at(from) - at(points[t])).norm(), 1e-12);
      EXPECT_LE(paths[t].points.size(), 2u);
    }
  }
}

TEST(Path, OfAVertexToItselfIsThisVertex) {
  const ShortestPath path = shortest_path(make_sphere(2), SurfacePoint(3), SurfacePoint(3));
  EXPECT_EQ(path.points, std::vector{SurfacePoint(3)});
  EXPECT_EQ(path.length, 0);
  EXPECT_EQ(path.distance, 0);
}

TEST(Path, GoesAroundWhatTheMaskLeavesOut) {
  const TriangleMesh mesh = make_plane(21, 21);
  GeodesicOptions options;
  options.keep.assign(21 * 21, 1);
  std::vector<Index> left_out;
  for (Index v = 0; v < mesh.points.rows(); ++v)
    if ((mesh.points.row(v).leftCols(2).array() - 0.5).matrix().norm() < 0.3) {
      options.keep[v] = 0;
      left_out.push_back(v);
    }
  const Index from = 10 * 21, to = 10 * 21 + 20;
  const ShortestPath path = shortest_path(mesh, SurfacePoint(from), SurfacePoint(to), options);
  RowMatrix<double> row(1, mesh.points.rows());
  make_solver(mesh, options)->distances(std::span(&from, 1), row);
  EXPECT_NEAR(path.length, row(0, to), 1e-9 * path.length);
  EXPECT_GT(path.length, 1.05 * shortest_path(mesh, SurfacePoint(from), SurfacePoint(to)).length);
  for (const SurfacePoint& point : path.points)
    for (const Index v : corners_of(point)) EXPECT_NE(options.keep[v], 0);
  EXPECT_TRUE(shortest_path(mesh, SurfacePoint(from), SurfacePoint(left_out[0]), options).points.empty());
}

TEST(Path, ScalesWithTheShape) {
  const TriangleMesh mesh = roughened(make_sphere(5), 0.15, 0.02);
  const ShortestPath path = shortest_path(mesh, SurfacePoint(0), SurfacePoint(77));
  for (const double scale : {1e-8, 1e8, 1e-200, 1e200}) {
    TriangleMesh scaled = mesh;
    scaled.points *= scale;
    const ShortestPath other = shortest_path(scaled, SurfacePoint(0), SurfacePoint(77));
    EXPECT_NEAR(other.length / scale, path.length, 1e-9 * path.length);
    EXPECT_EQ(other.points.size(), path.points.size());
  }
}

TEST(Path, RunsOverTheTrianglesOfPolygonsAndClouds) {
  const TriangleMesh sphere = make_sphere(8);
  PolygonMesh cube;
  cube.points = Points(8, 3);
  for (Index v = 0; v < 8; ++v) cube.points.row(v) << v % 2, v / 2 % 2, v / 4;
  cube.corners = {0, 1, 3, 2, 4, 6, 7, 5, 0, 4, 5, 1, 2, 3, 7, 6, 0, 2, 6, 4, 1, 5, 7, 3};
  cube.offsets = {0, 4, 8, 12, 16, 20, 24};
  EXPECT_NEAR(shortest_path(cube, SurfacePoint(0), SurfacePoint(7)).length, std::sqrt(5.0), 1e-12);
  for (const Shape& shape : {Shape(PointCloud{sphere.points, {}}), Shape(sphere)}) {
    const auto solver = make_solver(shape, {.method = GeodesicMethod::exact});
    const Vector row = distances_from(*solver, 0);
    for (const Index v : {Index{5}, Index{200}}) {
      const double length = shortest_path(shape, SurfacePoint(0), SurfacePoint(v)).length;
      EXPECT_NEAR(length, row[v], 1e-9 * row[v]);
    }
  }
}

TEST(Path, AlongEdgesHasTheLengthOfItsEdges) {
  std::vector<Shape> shapes = {make_sphere(5), make_book(3, 4, 4).mesh};
  Graph graph{60, {}, {}};
  std::mt19937 generator(3);
  for (Index k = 0; k < 130; ++k)
    graph.edges.push_back({static_cast<Index>(generator() % 58), static_cast<Index>(generator() % 58),
                           static_cast<double>(generator() % 4)});
  shapes.emplace_back(graph);
  shapes.emplace_back(Samples{RowMatrix<double>::Random(80, 5)});
  const GeodesicOptions options{.method = GeodesicMethod::graph};
  for (const Shape& shape : shapes) {
    const auto solver = make_solver(shape, options);
    const Vector row = distances_from(*solver, 1);
    const RowMatrix<double> all = all_distances(*solver);
    std::vector<SurfacePoint> to;
    for (Index v = 0; v < solver->size(); ++v) to.emplace_back(v);
    const auto paths = shortest_paths(shape, SurfacePoint(1), to, options);
    for (Index v = 0; v < solver->size(); ++v) {
      EXPECT_EQ(paths[v].length, row[v]);
      if (row[v] == infinity) continue;
      double length = 0;
      std::set<Index> seen;
      for (std::size_t p = 0; p < paths[v].points.size(); ++p) {
        EXPECT_TRUE(seen.insert(paths[v].points[p].vertex[0]).second);
        if (p > 0) length += all(paths[v].points[p - 1].vertex[0], paths[v].points[p].vertex[0]);
      }
      EXPECT_NEAR(length, row[v], 1e-12 * length);
      EXPECT_EQ(paths[v].positions.rows(), static_cast<Eigen::Index>(paths[v].points.size()));
    }
  }
}

TEST(Path, RefusesPointsThatAreNotOnTheShape) {
  const TriangleMesh mesh = make_plane(4, 4);
  const auto path_to = [&](const SurfacePoint& to, GeodesicMethod method = GeodesicMethod::automatic) {
    return shortest_path(mesh, SurfacePoint(0), to, {.method = method});
  };
  EXPECT_THROW(path_to(SurfacePoint(16)), InputError);
  EXPECT_THROW(path_to(SurfacePoint(-1)), InputError);
  EXPECT_THROW(path_to({{0, 1, 15}, {0.2, 0.3, 0.5}}), InputError);
  EXPECT_THROW(path_to({{0, 15, 0}, {0.5, 0.5, 0}}), InputError);
  EXPECT_THROW(path_to({{0, 1, 5}, {0.5, 0.7, -0.2}}), InputError);
  EXPECT_THROW(path_to({{0, 1, 5}, {0.5, 0.7, 0.2}}), InputError);
  EXPECT_THROW(path_to({{0, 1, 5}, {0.5, std::nan(""), 0.2}}), InputError);
  EXPECT_THROW(path_to({{0, 1, 5}, {0.5, 0.5, 0}}, GeodesicMethod::graph), InputError);
  EXPECT_THROW(path_to(SurfacePoint(16), GeodesicMethod::heat), InputError);
}

}  // namespace
}  // namespace geodome::testing
