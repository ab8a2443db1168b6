#include "geodome/geodesic/marching/carried.h"

#include <gtest/gtest.h>

#include <numeric>

#include "geodesic/exact/exact_shapes.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/marching/fast_marching.h"

namespace geodome::testing {

using namespace internal;

namespace {

std::vector<std::pair<std::string, TriangleMesh>> families() {
  return {{"sphere", make_sphere(12)},
          {"rough sphere", roughened(make_sphere(14), 0.12, 0.01)},
          {"rough plane", roughened(make_plane(30, 30), 0.1, 0.005)},
          {"rough torus", roughened(make_torus(48, 24), 0.1, 0.01)},
          {"cylinder", make_cylinder(30, 20)},
          {"book", make_book(3, 8, 10).mesh},
          {"two components", joined(roughened(make_sphere(8), 0.1, 0.01), make_plane(9, 9))}};
}

/// Mean and largest of |distance - truth| / truth over all targets of a few sources.
struct Errors {
  double mean = 0, largest = 0;
};

Errors relative_errors(const GeodesicSolver& solver, const GeodesicSolver& truth) {
  Errors errors;
  int count = 0;
  for (Index source = 0; source < solver.size(); source += solver.size() / 5) {
    const Vector found = distances_from(solver, source), expected = distances_from(truth, source);
    for (Index v = 0; v < solver.size(); ++v) {
      EXPECT_EQ(found[v] == infinity, expected[v] == infinity);
      if (v == source || expected[v] == infinity) continue;
      const double error = std::abs(found[v] - expected[v]) / expected[v];
      errors.mean += error;
      errors.largest = std::max(errors.largest, error);
      ++count;
    }
  }
  errors.mean /= count;
  return errors;
}

TEST(Carried, IsEuclideanOnAPlane) {
  for (const auto& mesh : {make_plane(20, 20), split_at_midpoints(make_plane(5, 7))}) {
    const CarriedMarching solver(mesh);
    for (const Index source : {Index{0}, solver.size() / 2, solver.size() - 1}) {
      const Vector found = distances_from(solver, source);
      for (Index v = 0; v < solver.size(); ++v) {
        const double chord = (mesh.points.row(v) - mesh.points.row(source)).norm();
        EXPECT_NEAR(found[v], chord, 1e-5 * chord);
      }
    }
  }
}

TEST(Carried, StaysCloseToExact) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const ExactSolver exact(mesh);
    const Errors carried = relative_errors(CarriedMarching(mesh), exact);
    EXPECT_LT(carried.mean, 0.004);
    EXPECT_LT(carried.largest, 0.08);
  }
}

// The 2-ring stencil of plain fast marching costs as much; this is what carrying the source is for.
TEST(Carried, IsMoreAccurateThanFastMarchingOnSmoothShapes) {
  for (const auto& mesh : {make_sphere(16), roughened(make_sphere(20), 0.06, 0.004),
                           roughened(make_torus(60, 30), 0.05, 0.005)}) {
    const ExactSolver exact(mesh);
    const double carried = relative_errors(CarriedMarching(mesh), exact).mean;
    EXPECT_LT(carried, 0.5 * relative_errors(FastMarching(mesh), exact).mean);
    EXPECT_LT(carried, 0.0015);
  }
}

TEST(Carried, ConvergesOnTheSphere) {
  double last = 1;
  for (const Index frequency : {4, 8, 16}) {
    const TriangleMesh mesh = make_sphere(frequency);
    const double mean = relative_errors(CarriedMarching(mesh), ExactSolver(mesh)).mean;
    EXPECT_LT(mean, 0.7 * last);
    last = mean;
  }
}

TEST(Carried, GivesANumberOnEverySoup) {
  std::mt19937 generator(5);
  for (int trial = 0; trial < 30; ++trial) {
    const Index vertices = 5 + trial % 6;
    std::vector<Eigen::RowVector3d> points(vertices);
    // Every third soup lies on a line: no triangle has any area.
    for (auto& p : points) p = noise(generator) * Eigen::RowVector3d(1, 2, 3);
    if (trial % 3)
      for (auto& p : points) p = {noise(generator), noise(generator), noise(generator)};
    std::vector<Face> faces;
    while (static_cast<Index>(faces.size()) < 2 * vertices) {
      const auto pick = [&] { return static_cast<Index>(generator() % vertices); };
      const Face face{pick(), pick(), pick()};
      if (face[0] != face[1] && face[1] != face[2] && face[2] != face[0]) faces.push_back(face);
    }
    const TriangleMesh mesh = make_mesh(points, faces);
    const Index source = faces[0][0];
    const Vector found = distances_from(CarriedMarching(mesh), source),
                 exact = distances_from(ExactSolver(mesh), source);
    for (Index v = 0; v < vertices; ++v) {
      ASSERT_FALSE(std::isnan(found[v]));
      ASSERT_EQ(found[v] == infinity, exact[v] == infinity);
    }
  }
}

TEST(Carried, ScalesWithTheShape) {
  const TriangleMesh mesh = roughened(make_sphere(8), 0.1, 0.01);
  const Vector plain = distances_from(CarriedMarching(mesh), 1);
  for (const double scale : {1e-8, 1e8}) {
    TriangleMesh other = mesh;
    other.points *= scale;
    const Vector scaled = distances_from(CarriedMarching(other), 1);
    for (Index v = 0; v < plain.size(); ++v)
      EXPECT_NEAR(scaled[v], scale * plain[v], 1e-3 * scale * plain[v]);
  }
}

TEST(Carried, WithinARadiusAreTheNearVerticesOfTheRow) {
  for (const auto& [name, mesh] : families()) {
    SCOPED_TRACE(name);
    const CarriedMarching solver(mesh);
    const Index source = solver.size() / 3;
    const Vector row = distances_from(solver, source);
    const double farthest = row.array().isFinite().select(row, 0).maxCoeff();
    for (const double part : {0.0, 0.1, 0.5, 2.0}) {
      const double radius = part * farthest;
      const std::vector<Neighbour> near = solver.within(source, radius);
      EXPECT_EQ(static_cast<Index>(near.size()), (row.array() <= radius).count());
      double last = 0;
      for (const Neighbour& neighbour : near) {
        EXPECT_EQ(neighbour.distance, row[neighbour.vertex]);
        EXPECT_GE(neighbour.distance, last);
        last = neighbour.distance;
      }
    }
  }
}

TEST(Carried, IsTheSameOnAnyNumberOfThreadsAndWhenUsedAgain) {
  const CarriedMarching solver(roughened(make_sphere(8), 0.1, 0.02));
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

TEST(Carried, RefusesASourceThatIsNotThere) {
  const CarriedMarching solver(make_plane(3, 3));
  EXPECT_THROW((void)solver.within(9, 1), InputError);
  EXPECT_THROW((void)distances_from(solver, -1), InputError);
}

}  // namespace
}  // namespace geodome::testing
