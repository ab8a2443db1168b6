#include "geodome/pipeline/build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "geodome/matrix/compact.h"
#include "geodome/matrix/shape_digest.h"
#include "geodome/pipeline/plan.h"
#include "geodome/shape/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome {
namespace {

Samples noisy_plane(Index count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  Samples samples{RowMatrix<double>::Zero(count, 5)};
  for (Index v = 0; v < count; ++v)
    samples.values.row(v) << uniform(random), uniform(random), 0.01 * uniform(random), 0, 0;
  return samples;
}

struct NamedShape {
  std::string name;
  Shape shape;
};

/// Every kind of shape, each of 200 to 400 vertices.
std::vector<NamedShape> every_kind() {
  return {{"triangles", make_sphere(6)},
          {"polygons", make_plane_quads(17, 15)},
          {"cloud", PointCloud{make_sphere(6).points, {}}},
          {"graph", make_grid_graph(16, 14)},
          {"samples", noisy_plane(300)},
          {"two components and a stray vertex", apart(make_sphere(5), make_plane(9, 8))}};
}

BuildOptions with_landmarks(Index count) {
  BuildOptions options;
  options.landmarks.count = count;
  return options;
}

/// ε over all finite pairs.
double relative_error(const DistanceMatrix& matrix, const GeodesicSolver& solver) {
  const std::vector<Index> all = everything(matrix.size());
  RowMatrix<double> K(matrix.size(), matrix.size());
  solver.distances(all, K);
  const RowMatrix<double> ours = matrix.rows(all);
  double wrong = 0, whole = 0;
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j) {
      EXPECT_EQ(std::isfinite(ours(i, j)), std::isfinite(K(i, j))) << i << ' ' << j;
      if (!std::isfinite(K(i, j)) || !std::isfinite(ours(i, j))) continue;
      wrong += (ours(i, j) - K(i, j)) * (ours(i, j) - K(i, j));
      whole += K(i, j) * K(i, j);
    }
  return wrong / whole;
}

TEST(Build, AnswersForEveryKindOfShape) {
  for (const NamedShape& one : every_kind()) {
    SCOPED_TRACE(one.name);
    const Build result = build(one.shape, with_landmarks(60));
    EXPECT_EQ(result.matrix->size(), vertex_count(one.shape));
    EXPECT_EQ(result.matrix->landmarks().size(), 60u);
    EXPECT_LT(relative_error(*result.matrix, *make_solver(one.shape)), 3e-3);
  }
}

TEST(Build, ErrorFallsWithLandmarks) {
  const TriangleMesh mesh = make_torus(30, 14);
  const auto solver = make_solver(mesh);
  double before = infinity;
  for (const Index count : {20, 60, 180}) {
    const double error = relative_error(*build(mesh, with_landmarks(count)).matrix, *solver);
    EXPECT_LT(error, before / 2) << count;
    before = error;
  }
}

TEST(Build, DenseIsTheLimitOfSparse) {
  const TriangleMesh mesh = make_plane(16, 14);
  BuildOptions dense = with_landmarks(30);
  dense.precision = Precision::float64;  // or the weights of the sparse one would be rounded to 16 bits
  BuildOptions sparse = dense;
  dense.method = BuildMethod::bha;
  sparse.interpolation.nonzeros = 30;
  const Build a = build(mesh, dense), b = build(mesh, sparse);
  const std::vector<Index> all = everything(a.matrix->size());
  EXPECT_LT(difference(a.matrix->rows(all), b.matrix->rows(all)), 1e-5);
}

TEST(Build, DoesNotDependOnThreads) {
  const TriangleMesh mesh = make_jittered_sphere(8);
  const Build one = build(mesh, with_landmarks(50), {.threads = 1, .progress = {}});
  const Build two = build(mesh, with_landmarks(50), {.threads = 2, .progress = {}});
  const std::vector<Index> all = everything(one.matrix->size());
  EXPECT_EQ(one.matrix->rows(all), two.matrix->rows(all));
  EXPECT_EQ(one.recipe, two.recipe);
}

TEST(Build, PathsAndWeightsStayClearOfTheMask) {
  const TriangleMesh mesh = make_plane(15, 15);
  BuildOptions options = with_landmarks(40);
  options.geodesic.keep.assign(225, 1);
  for (Index v = 0; v < 225; ++v)
    if (v % 15 == 7 && v / 15 < 12) options.geodesic.keep[static_cast<std::size_t>(v)] = 0;  // a wall
  const Build result = build(mesh, options);
  const auto solver = make_solver(mesh, options.geodesic);
  EXPECT_LT(relative_error(*result.matrix, *solver), 5e-3);
  const std::array from{Index{0}}, to{Index{14}}, wall{Index{7}};
  EXPECT_GT(result.matrix->entries(from, to)[0], 1.2 * (mesh.points.row(0) - mesh.points.row(14)).norm());
  EXPECT_EQ(result.matrix->entries(from, wall)[0], infinity);
}

TEST(Build, TakesGivenLandmarks) {
  BuildOptions options;
  options.landmarks.method = LandmarkMethod::given;
  options.landmarks.given = {0, 50, 100, 200, 250, 300};
  const Build result = build(make_sphere(6), options);
  std::vector<Index> kept(result.matrix->landmarks().begin(), result.matrix->landmarks().end());
  std::sort(kept.begin(), kept.end());
  EXPECT_EQ(kept, options.landmarks.given);
}

TEST(Build, ChoosesLandmarksByItself) {
  EXPECT_EQ(default_landmark_count(1000, 1), 200);
  EXPECT_EQ(default_landmark_count(100, 1), 50);
  EXPECT_EQ(default_landmark_count(30, 1), 30);
  EXPECT_EQ(default_landmark_count(0, 0), 1);
  EXPECT_EQ(default_landmark_count(1'000'000, 1), 1000);
  EXPECT_EQ(default_landmark_count(1'000'000, 4000), 4000);
  EXPECT_EQ(default_landmark_count(1, 1), 1);
  EXPECT_EQ(build(make_sphere(6)).matrix->landmarks().size(), 73u);  // 362 vertices
}

TEST(Build, IsExactWhileThatIsQuick) {
  const TriangleMesh mesh = make_sphere(17);  // 2,892 vertices
  for (const auto& [landmarks, method] : {std::pair<Index, const char*>{60, "exact"}, {900, "marching"}}) {
    EXPECT_EQ(plan_build(mesh, with_landmarks(landmarks)).geodesic, method);
    EXPECT_EQ(build(mesh, with_landmarks(landmarks)).summary.geodesic, method);
  }
  BuildOptions asked = with_landmarks(900);
  asked.geodesic.method = GeodesicMethod::exact;
  EXPECT_EQ(plan_build(mesh, asked).geodesic, "exact");
}

TEST(Build, SaysWhatItDidAndHowToRepeatIt) {
  const TriangleMesh mesh = make_sphere(6);
  const Build result = build(mesh, with_landmarks(40));
  const auto recipe = nlohmann::json::parse(result.recipe);
  EXPECT_EQ(recipe["landmarks"]["count"], 40);
  EXPECT_EQ(recipe["geodesic"]["method"], "exact");
  EXPECT_EQ(recipe["shape"]["digest"], shape_digest(mesh));
  std::vector<std::string> stages;
  for (const BuildStage& stage : result.summary.stages) {
    stages.push_back(stage.name);
    EXPECT_GE(stage.seconds, 0);
    EXPECT_GT(stage.peak_bytes, 0);
  }
  EXPECT_EQ(stages, (std::vector<std::string>{"landmark", "laplacian", "geodesic", "interpolation", "pack"}));
  EXPECT_GT(result.summary.cover_radius, 0);
}

TEST(Build, RefusesWhatCannotBe) {
  const TriangleMesh mesh = make_sphere(4);
  EXPECT_THROW(build(mesh, with_landmarks(-3)), InputError);
  EXPECT_THROW(build(mesh, with_landmarks(100000)), InputError);
  BuildOptions options = with_landmarks(10);
  options.interpolation.nonzeros = 0;
  EXPECT_THROW(build(mesh, options), InputError);
  EXPECT_THROW(build(make_two_spheres(4), with_landmarks(1)), InputError);
}

TEST(ShapeDigest, TellsShapesApart) {
  TriangleMesh mesh = make_sphere(4);
  const std::string digest = shape_digest(mesh);
  EXPECT_EQ(digest, shape_digest(make_sphere(4)));
  mesh.points(7, 1) += 1e-9;
  EXPECT_NE(digest, shape_digest(mesh));
  mesh = make_sphere(4);
  std::swap(mesh.triangles(3, 0), mesh.triangles(3, 1));
  EXPECT_NE(digest, shape_digest(mesh));
  EXPECT_NE(mask_digest({1, 0, 1}), mask_digest({1, 1, 0}));
  EXPECT_EQ(mask_digest({1, 0, 1}), mask_digest({5, 0, 2}));
}

}  // namespace
}  // namespace geodome
