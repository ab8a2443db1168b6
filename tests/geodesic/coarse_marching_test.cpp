#include "geodome/geodesic/coarse_marching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "geodome/geodesic/coarse_solver.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/resample/subdivide.h"
#include "shape/surface_facts.h"

namespace geodome::internal {
namespace {

std::vector<Index> every_vertex(const TriangleMesh& mesh, Index step) {
  std::vector<Index> some;
  for (Index v = 0; v < mesh.points.rows(); v += step) some.push_back(v);
  return some;
}

/// Connected, with and without a boundary, smooth and rough.
std::vector<TriangleMesh> coarsenable_shapes() {
  return {make_torus(90, 45), subdivide_midpoint(make_jittered_sphere(12)), make_plane(60, 50),
          make_moebius(120, 20), make_cylinder(70, 40)};
}

struct Coarsened {
  explicit Coarsened(TriangleMesh shape, Index share = 4, Index step = 40)
      : mesh(std::move(shape)),
        surface(prepare_surface(mesh)),
        exact(exact_rows(surface, 3)),
        landmarks(every_vertex(mesh, step)),
        found(march_coarsely(surface, exact, landmarks, share)) {}

  TriangleMesh mesh;
  Surface surface;
  ExactRows exact;
  std::vector<Index> landmarks;
  CoarseMarching found;
};

double mean_relative_difference(const RowMatrix<double>& found, const RowMatrix<double>& truth) {
  double sum = 0, pairs = 0;
  for (Eigen::Index k = 0; k < truth.size(); ++k)
    if (truth.data()[k] > 0) sum += std::abs(found.data()[k] / truth.data()[k] - 1), ++pairs;
  return sum / pairs;
}

TEST(CoarseMarching, KeepsLandmarksWhereTheyAreAndTheTopology) {
  for (TriangleMesh& mesh : coarsenable_shapes()) {
    const Coarsened coarse(std::move(mesh));
    ASSERT_NE(coarse.found.solver, nullptr);
    EXPECT_EQ(coarse.found.mesh.share, 4);
    EXPECT_EQ(coarse.found.mesh.vertices, static_cast<Index>(coarse.surface.points.rows()) / 4);
    const Surface& rest = coarse.found.solver->surface();
    EXPECT_EQ(rest.points.rows(), coarse.found.mesh.vertices);
    EXPECT_EQ(rest.scale, coarse.surface.scale);
    EXPECT_EQ(coarse.found.solver->size(), static_cast<Index>(coarse.mesh.points.rows()));
    for (const Index landmark : coarse.landmarks) EXPECT_GE(rest.of_input[landmark], 0);
    for (std::size_t v = 0; v < rest.of_input.size(); ++v)
      if (rest.of_input[v] >= 0) {
        EXPECT_EQ(rest.points.row(rest.of_input[v]), coarse.surface.points.row(coarse.surface.of_input[v]));
      }
    const auto before = testing::surface_facts({coarse.surface.points, coarse.surface.triangles});
    const auto after = testing::surface_facts({rest.points, rest.triangles});
    EXPECT_EQ(after.euler, before.euler);
    EXPECT_EQ(after.components, 1);
    EXPECT_EQ(after.boundary_loops, before.boundary_loops);
  }
}

TEST(CoarseMarching, ErrsAsMuchAsItsMeasuredErrorSays) {
  for (TriangleMesh& mesh : coarsenable_shapes()) {
    const Coarsened coarse(std::move(mesh));
    const RowMatrix<double> truth = ExactSolver(coarse.mesh).between(coarse.landmarks, coarse.landmarks);
    const RowMatrix<double> found = coarse.found.solver->between(coarse.landmarks, coarse.landmarks);
    const double error = coarse.found.mesh.mean_relative_error;
    EXPECT_LT(error, 0.02);
    EXPECT_LT(mean_relative_difference(found, truth), 1.6 * error + 1e-3);
  }
}

/// The plain way: the coarse mesh as a mesh of its own, and the factor from all pairs with an exact row.
TEST(CoarseMarching, MarchesAsOnAMeshOfItsOwn) {
  const Coarsened coarse(subdivide_midpoint(make_jittered_sphere(10)));
  const Surface& rest = coarse.found.solver->surface();
  const FastMarching own(TriangleMesh{rest.points, rest.triangles}, {.lanes = 1, .remove_bias = false});
  std::vector<Index> landmarks;
  for (const Index v : coarse.landmarks) landmarks.push_back(rest.of_input[v]);
  const RowMatrix<double> found = coarse.found.solver->between(coarse.landmarks, coarse.landmarks);
  const RowMatrix<double> expected =
      coarse.found.solver->factor() * rest.scale * own.between(landmarks, landmarks);
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-3 * expected.maxCoeff());
  double products = 0, squares = 0;
  for (std::size_t r = 0; r < coarse.exact.sources.size(); ++r) {
    const auto source = coarse.exact.sources[r];
    RowMatrix<double> row(1, rest.points.rows());
    const auto at =
        static_cast<Index>(std::find(coarse.surface.of_input.begin(), coarse.surface.of_input.end(), source) -
                           coarse.surface.of_input.begin());
    own.distances(std::span(&rest.of_input[at], 1), row);
    for (std::size_t v = 0; v < rest.of_input.size(); ++v) {
      if (rest.of_input[v] < 0) continue;
      const double d = row(0, rest.of_input[v]);
      products += d * coarse.exact.distances(static_cast<Eigen::Index>(r), coarse.surface.of_input[v]);
      squares += d * d;
    }
  }
  EXPECT_NEAR(coarse.found.solver->factor(), products / squares, 1e-4);
}

TEST(CoarseMarching, ChoosesTheCoarsestMeshThatIsAccurateEnough) {
  for (TriangleMesh mesh : {subdivide_midpoint(subdivide_midpoint(make_sphere(10))), make_torus(90, 45),
                            make_plane(60, 50), make_jittered_sphere(20)}) {
    const Coarsened coarse(std::move(mesh), 0, 100);
    const auto& tried = coarse.found.tried;
    for (std::size_t k = 0; k < tried.size(); ++k) {
      EXPECT_EQ(tried[k].share, 2 << k);
      EXPECT_EQ(tried[k].mean_relative_error > largest_coarse_error,
                k + 1 == tried.size() && coarse.found.mesh.share != tried[k].share);
    }
    if (coarse.found.solver == nullptr) {
      EXPECT_EQ(coarse.found.mesh.share, 1);
      continue;
    }
    EXPECT_LE(coarse.found.mesh.mean_relative_error, largest_coarse_error);
    EXPECT_GE(coarse.found.mesh.vertices, 4 * static_cast<Index>(coarse.landmarks.size()));
  }
}

TEST(CoarseMarching, LeavesRoomForLandmarks) {
  const Coarsened coarse(subdivide_midpoint(make_sphere(10)), 0, 3);
  EXPECT_EQ(coarse.found.solver, nullptr);
  EXPECT_TRUE(coarse.found.tried.empty());
  const Coarsened forced(subdivide_midpoint(make_sphere(10)), 16, 3);  // as close to that as they allow
  ASSERT_NE(forced.found.solver, nullptr);
  EXPECT_GE(forced.found.mesh.vertices, static_cast<Index>(forced.landmarks.size()));
  EXPECT_LT(forced.found.mesh.vertices, forced.surface.points.rows());
}

TEST(CoarseMarching, DoesNotDependOnTheScaleOrTheThreads) {
  const TriangleMesh mesh = subdivide_midpoint(make_jittered_sphere(9));
  const Coarsened plain(mesh);
  const RowMatrix<double> expected = plain.found.solver->between(plain.landmarks, plain.landmarks, {1, {}});
  for (const double scale : {std::exp2(-27), std::exp2(27), 1e-8, 1e8}) {
    TriangleMesh scaled = mesh;
    scaled.points *= scale;
    const Coarsened coarse(scaled);
    EXPECT_EQ(coarse.found.mesh.vertices, plain.found.mesh.vertices);
    const RowMatrix<double> found = coarse.found.solver->between(coarse.landmarks, coarse.landmarks);
    // Powers of two change no digit; others the ties, and with them a few triangles.
    const double same = std::exp2(std::round(std::log2(scale))) == scale ? 1e-12 : 5e-3;
    EXPECT_LT((found / scale - expected).cwiseAbs().maxCoeff(), same * expected.maxCoeff()) << scale;
  }
  for (const int threads : {2, 3}) {
    const CoarseMarching found =
        march_coarsely(plain.surface, plain.exact, plain.landmarks, 4, {threads, {}});
    EXPECT_EQ(found.solver->surface().triangles, plain.found.solver->surface().triangles);
    EXPECT_EQ(found.solver->between(plain.landmarks, plain.landmarks, {threads, {}}), expected);
  }
}

TEST(CoarseMarching, TakesTheLargestComponent) {
  TriangleMesh mesh = make_two_spheres(10);
  const Index half = static_cast<Index>(mesh.points.rows()) / 2;
  mesh.triangles.conservativeResize(mesh.triangles.rows() - 1, 3);  // a hole in the second one
  const Coarsened coarse(mesh);
  ASSERT_NE(coarse.found.solver, nullptr);
  EXPECT_EQ(coarse.found.mesh.vertices, half / 4);
  for (Index v = half; v < 2 * half; ++v) EXPECT_LT(coarse.found.solver->surface().of_input[v], 0);
}

TEST(CoarseMarching, NeedsASurface) {
  const TriangleMesh points{make_sphere(3).points, Triangles(0, 3)};
  const Surface surface = prepare_surface(points);
  const std::vector<Index> landmarks{0, 5};
  EXPECT_EQ(march_coarsely(surface, exact_rows(surface, 1), landmarks, 4).solver, nullptr);
}

TEST(CoarseMarching, PaysForManyRowsOfLargeMeshes) {
  EXPECT_TRUE(coarsening_pays(134345, 1000, 1000));
  EXPECT_TRUE(coarsening_pays(1744926, 50000, 50000));
  EXPECT_FALSE(coarsening_pays(134345, 1000, 0));
  EXPECT_FALSE(coarsening_pays(134345, 100, 100));
  EXPECT_FALSE(coarsening_pays(14290, 1000, 1000));
  EXPECT_FALSE(coarsening_pays(134345, 20000, 20000));
}

TEST(CoarseSolver, MeasuresOnTheMeshItselfWhatTheCoarserOneLacks) {
  const Coarsened coarse(make_torus(60, 30));
  const auto full = std::make_shared<const FastMarching>(coarse.mesh);
  int made = 0;
  const CoarseSolver solver(coarse.found.solver, [&](const Execution&) {
    ++made;
    return full;
  });
  const std::vector<Index>& of_input = coarse.found.solver->surface().of_input;
  const std::vector<Index>& some = coarse.landmarks;
  EXPECT_EQ(solver.size(), full->size());
  EXPECT_EQ(solver.between(some, some), coarse.found.solver->between(some, some));
  EXPECT_EQ(solver.some_between(some, some, {1, 2}).distances,
            coarse.found.solver->some_between(some, some, {1, 2}).distances);
  EXPECT_EQ(made, 0);
  const std::vector<Index> gone{
      static_cast<Index>(std::find(of_input.begin(), of_input.end(), -1) - of_input.begin())};
  EXPECT_EQ(solver.between(some, gone), full->between(some, gone));
  EXPECT_EQ(solver.between(gone, some), full->between(gone, some));
  RowMatrix<double> row(1, solver.size()), expected(1, solver.size());
  solver.distances(std::span(some).first(1), row);
  full->distances(std::span(some).first(1), expected);
  EXPECT_EQ(row, expected);
  EXPECT_EQ(solver.within(some[0], 0.3).size(), full->within(some[0], 0.3).size());
  EXPECT_THROW(solver.between(std::vector<Index>{-1}, some), InputError);
  EXPECT_EQ(made, 1);
}

}  // namespace
}  // namespace geodome::internal
