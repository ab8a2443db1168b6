/// What all solvers on surfaces share: which vertices belong together.
#include "geodome/geodesic/surface.h"

#include <gtest/gtest.h>

#include <memory>

#include "geodome/base/error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/shape/check.h"
#include "geodome/shape/clean.h"
#include "geodome/shape/topology.h"
#include "soups.h"

namespace geodome::testing {

using namespace internal;

namespace {

/// Components as check_shape counts them: corners of a face with three different ones are together. -1 where
/// a vertex is in no such face.
std::vector<std::int64_t> components(const FaceView& faces, Index vertices) {
  DisjointSets sets(vertices);
  std::vector<char> referenced(static_cast<std::size_t>(vertices), 0);
  for (std::int64_t f = 0; f < faces.size(); ++f) {
    if (collapsed(faces[f])) continue;
    for (const Index v : faces[f]) {
      sets.unite(faces[f][0], v);
      referenced[static_cast<std::size_t>(v)] = 1;
    }
  }
  std::vector<std::int64_t> result(static_cast<std::size_t>(vertices), -1);
  for (Index v = 0; v < vertices; ++v)
    if (referenced[static_cast<std::size_t>(v)]) result[static_cast<std::size_t>(v)] = sets.find(v);
  return result;
}

constexpr GeodesicMethod all_methods[] = {
    GeodesicMethod::exact,   GeodesicMethod::fast_marching, GeodesicMethod::fast_marching_1ring,
    GeodesicMethod::carried, GeodesicMethod::heat,          GeodesicMethod::graph};

/// Distances are finite within components, infinite between them, never less than the chord, for all solvers.
void expect_components(const Shape& shape, const Points& points, const std::vector<std::int64_t>& component) {
  const auto count = static_cast<Index>(points.rows());
  const double size = (points.colwise().maxCoeff() - points.colwise().minCoeff()).norm();
  std::vector<Index> sources(static_cast<std::size_t>(count));
  for (Index v = 0; v < count; ++v) sources[static_cast<std::size_t>(v)] = v;
  for (const GeodesicMethod method : all_methods) {
    SCOPED_TRACE(geodesic_method_name(method));
    std::unique_ptr<GeodesicSolver> solver;
    RowMatrix<double> d(count, count);
    try {
      solver = make_solver(shape, GeodesicOptions{.method = method}, Execution{1, {}});
      solver->distances(sources, d, Execution{1, {}});
    } catch (const NumericalError&) {
      ASSERT_EQ(method, GeodesicMethod::heat);  // may refuse a shape, and says so
      continue;
    }
    for (Index i = 0; i < count; ++i)
      for (Index j = 0; j < count; ++j) {
        const auto here = component[static_cast<std::size_t>(i)],
                   there = component[static_cast<std::size_t>(j)];
        const bool together = i == j || (here >= 0 && here == there);
        ASSERT_EQ(std::isfinite(d(i, j)), together) << i << " to " << j << ": " << d(i, j);
        ASSERT_FALSE(std::isnan(d(i, j)));
        if (!together || method == GeodesicMethod::heat || method == GeodesicMethod::carried) continue;
        const double chord = (points.row(i) - points.row(j)).norm();
        ASSERT_GE(d(i, j), chord * (1 - 1e-5) - 1e-6 * size) << i << " to " << j;
      }
  }
}

TEST(Surface, KeepsComponentsTogetherForAllSolvers) {
  for (const Family& family : bad_families())
    for (unsigned seed = 0; seed < 15; ++seed) {
      SCOPED_TRACE(family.name + ", seed " + std::to_string(seed));
      Dice dice(seed + 100);
      const double width = random_width(dice);
      const TriangleMesh mesh = family.make(dice, width);
      expect_components(mesh, mesh.points,
                        components(FaceView(mesh), static_cast<Index>(mesh.points.rows())));
      if (HasFatalFailure()) return;
    }
}

TEST(Surface, KeepsComponentsOfPolygonsTogetherForAllSolvers) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    Dice dice(seed);
    const int vertices = 5 + dice.below(6);
    PolygonMesh mesh;
    mesh.points.resize(vertices, 3);
    for (int v = 0; v < vertices; ++v) mesh.points.row(v) << dice.below(3), dice.below(3), dice.below(2);
    mesh.offsets = {0};
    for (int f = 2 + dice.below(4); f > 0; --f) {
      for (int corners = 3 + dice.below(4); corners > 0; --corners)
        mesh.corners.push_back(dice.below(vertices));
      mesh.offsets.push_back(static_cast<std::int64_t>(mesh.corners.size()));
    }
    // Cleaning drops faces that are edges, which `edges` would use.
    if (check_shape(mesh).collapsed_faces == check_shape(mesh).faces) continue;
    mesh = std::get<PolygonMesh>(clean_shape(mesh).shape);
    expect_components(mesh, mesh.points, components(FaceView(mesh), vertices));
    if (HasFatalFailure()) return;
  }
}

// The face is an edge that nothing else has.
TEST(Surface, KeepsTheEdgeThatAFaceWithAZeroSideIs) {
  const TriangleMesh mesh =
      make_mesh({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 3, 4}});
  const Surface surface = prepare_surface(mesh);
  EXPECT_EQ(surface.components, 1);
  EXPECT_EQ(surface.of_input[1], surface.of_input[3]);
  EXPECT_EQ(surface.points.rows(), 5);
  const auto solver = make_solver(mesh, GeodesicOptions{.method = GeodesicMethod::exact}, Execution{1, {}});
  const Vector row = distances_from(*solver, 0);
  EXPECT_NEAR(row[4], 2, 1e-12);
}

TEST(Surface, KeepsAllDigitsOfSmallDifferences) {
  TriangleMesh mesh = make_plane(3, 3);
  mesh.points.array() *= 1e-9;
  mesh.points.col(2).array() += 1;
  mesh.points.row(8) << 1, 1, 1;
  const Surface surface = prepare_surface(mesh);
  for (Index v = 0; v < 8; ++v) {
    const Eigen::RowVector3d before = mesh.points.row(v) - mesh.points.row(0);
    const Eigen::RowVector3d after =
        surface.points.row(surface.of_input[v]) - surface.points.row(surface.of_input[0]);
    EXPECT_EQ(before, surface.scale * after);
  }
}

}  // namespace
}  // namespace geodome::testing
