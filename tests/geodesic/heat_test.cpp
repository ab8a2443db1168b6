#include "geodome/geodesic/heat.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

std::vector<Index> every(Index step, Index count) {
  std::vector<Index> sources;
  for (Index v = 0; v < count; v += step) sources.push_back(v);
  return sources;
}

RowMatrix<double> rows_of(const GeodesicSolver& solver, const std::vector<Index>& sources) {
  RowMatrix<double> out(sources.size(), solver.size());
  solver.distances(sources, out, {1, {}});
  return out;
}

double mean_sphere_error(Index frequency, const HeatOptions& options) {
  const TriangleMesh sphere = make_sphere(frequency);
  const HeatSolver solver(sphere, options);
  const std::vector<Index> sources = every(solver.size() / 7, solver.size());
  const RowMatrix<double> found = rows_of(solver, sources);
  double sum = 0;
  for (std::size_t s = 0; s < sources.size(); ++s)
    for (Index v = 0; v < solver.size(); ++v) {
      if (v == sources[s]) continue;
      const double chord = (sphere.points.row(v) - sphere.points.row(sources[s])).norm();
      const double exact = 2 * std::asin(std::min(1.0, chord / 2));
      sum += std::abs(found(s, v) - exact) / exact;
    }
  return sum / static_cast<double>(sources.size()) / (solver.size() - 1);
}

TEST(HeatSolver, ErrorOnTheSphereFallsUnderRefinement) {
  for (const bool delaunay : {false, true}) {
    const HeatOptions options{delaunay};
    const double coarse = mean_sphere_error(4, options), middle = mean_sphere_error(8, options),
                 fine = mean_sphere_error(16, options);
    EXPECT_LT(coarse, 0.05);
    EXPECT_LT(middle, 0.7 * coarse);
    EXPECT_LT(fine, 0.7 * middle);
  }
}

TEST(HeatSolver, IsZeroAtTheSourceAndInfiniteInOtherComponents) {
  const TriangleMesh sphere = make_sphere(5), plane = make_plane(9, 7);
  const Index first = static_cast<Index>(sphere.points.rows()),
              second = static_cast<Index>(plane.points.rows());
  TriangleMesh both;
  both.points.resize(first + second + 1, 3);
  both.points << sphere.points, plane.points, 9, 9, 9;
  both.triangles.resize(sphere.triangles.rows() + plane.triangles.rows(), 3);
  both.triangles << sphere.triangles, (plane.triangles.array() + first).matrix();
  const RowMatrix<double> found = rows_of(HeatSolver(both), {3, first + 20, first + second});
  const RowMatrix<double> alone = rows_of(HeatSolver(sphere), {3});
  EXPECT_EQ(found(0, 3), 0);
  EXPECT_EQ(found(1, first + 20), 0);
  EXPECT_EQ(found(2, first + second), 0);
  for (Index v = 0; v < first + second + 1; ++v) {
    EXPECT_EQ(std::isfinite(found(0, v)), v < first);
    EXPECT_EQ(std::isfinite(found(1, v)), v >= first && v < first + second);
    EXPECT_EQ(std::isfinite(found(2, v)), v == first + second);
  }
  // The flow time differs with the mean edge, nothing else.
  for (Index v = 0; v < first; ++v) EXPECT_NEAR(found(0, v), alone(0, v), 0.3);
}

TEST(HeatSolver, ScalesWithTheShape) {
  TriangleMesh mesh = make_torus(24, 14);
  const RowMatrix<double> one = rows_of(HeatSolver(mesh), {0, 100});
  const Points points = mesh.points;
  for (const double scale : {1e-8, 1e8}) {
    mesh.points = scale * points;
    const RowMatrix<double> scaled = rows_of(HeatSolver(mesh), {0, 100}) / scale;
    EXPECT_LE((scaled - one).cwiseAbs().maxCoeff(), 1e-8 * one.maxCoeff());
  }
}

TEST(HeatSolver, ThreadsAndBlocksDoNotMatter) {
  const HeatSolver solver(make_torus(24, 14));
  const std::vector<Index> sources = every(5, solver.size());  // more than one block
  RowMatrix<double> one(sources.size(), solver.size()), two(sources.size(), solver.size());
  solver.distances(sources, one, {1, {}});
  solver.distances(sources, two, {2, {}});
  EXPECT_EQ((one - two).cwiseAbs().maxCoeff(), 0);
  const RowMatrix<double> single = rows_of(solver, {sources[17]});
  EXPECT_LE((single.row(0) - one.row(17)).cwiseAbs().maxCoeff(), 1e-9);
}

TEST(HeatSolver, EnlargesTheTimeWhereHeatWouldVanish) {
  // A long tube: the far end is 900 edges away.
  const Index along = 900;
  const double height = 900;
  const TriangleMesh tube = make_cylinder(8, along, 1.27, height);
  const HeatSolver solver(tube);
  EXPECT_GT(solver.report().enlargements, 0);
  EXPECT_GT(solver.report().time, 1);
  EXPECT_TRUE(std::isfinite(solver.report().decay));
  const RowMatrix<double> found = rows_of(solver, {0});
  for (Index v = 0; v < solver.size(); ++v) {
    const double across = std::abs(tube.points(v, 2) - tube.points(0, 2));
    if (across > height / 10) {
      EXPECT_NEAR(found(0, v) / across, 1, 0.05);
    }
  }
  EXPECT_EQ(HeatSolver(make_sphere(6)).report().enlargements, 0);
  EXPECT_EQ(HeatSolver(make_sphere(6)).report().time, 1);
}

TEST(HeatSolver, CrossesDegenerateFaces) {
  // A plane with one corner of many faces moved onto the edge between its neighbours.
  TriangleMesh mesh = make_plane(13, 13);
  for (Index r = 0; r < 13; ++r)
    mesh.points.row(r * 13 + 6) = mesh.points.row(r * 13 + 5) + Eigen::RowVector3d(1e-13, 0, 0);
  const RowMatrix<double> found = rows_of(HeatSolver(mesh), {6 * 13});
  EXPECT_NEAR(found(0, 6 * 13 + 12), 1, 0.1);
  EXPECT_TRUE(found.allFinite());
}

TEST(HeatSolver, AcceptsAnEmptyMeshAndNamesBadIndices) {
  EXPECT_EQ(HeatSolver(TriangleMesh{}).size(), 0);
  TriangleMesh mesh = make_plane(3, 3);
  const HeatSolver solver(mesh);
  RowMatrix<double> out(1, 9);
  const Index source = 9;
  EXPECT_THROW(solver.distances(std::span(&source, 1), out), InputError);
  mesh.triangles(0, 0) = 99;
  EXPECT_THROW(HeatSolver{mesh}, InputError);
}

}  // namespace
}  // namespace geodome::internal
