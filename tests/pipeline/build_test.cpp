#include "geodome/pipeline/build.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "evaluation/table_distances.h"
#include "geodome/matrix/near_field.h"
#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/pipeline/plan.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/digest.h"
#include "geodome/shape/unit.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
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
    const Build result = build_matrix(one.shape, with_landmarks(60));
    EXPECT_EQ(result.matrix->size(), vertex_count(one.shape));
    EXPECT_EQ(result.matrix->landmark_matrix()->landmarks().size(), 60u);
    EXPECT_LT(relative_error(*result.matrix, *make_solver(one.shape)), 3e-3);
  }
}

/// The distances of the build on all samples are the reference: solved for on a part, they are as accurate.
TEST(Build, ManySamplesPerLandmarkAreThinnedAtTheSameAccuracy) {
  const Shape shape = noisy_plane(6000);
  BuildOptions options = with_landmarks(60);
  options.method = Method::sbha;
  const Build thinned = build_matrix(shape, options, {1, {}});
  options.interpolation.method = InterpolationMethod::plain;
  const Build whole = build_matrix(shape, options, {1, {}});
  const auto solver = make_solver(shape);
  std::vector<Index> sources;
  for (Index v = 7; v < 6000; v += 300) sources.push_back(v);
  RowMatrix<double> K(static_cast<Eigen::Index>(sources.size()), 6000);
  solver->distances(sources, K);
  const double error = (thinned.matrix->rows(sources) - K).norm() / K.norm();
  const double reference = (whole.matrix->rows(sources) - K).norm() / K.norm();
  EXPECT_LT(error, 1.25 * reference);
  EXPECT_LT(thinned.summary.peak_bytes, whole.summary.peak_bytes);
  options.interpolation.method = InterpolationMethod::automatic;
  EXPECT_EQ(build_matrix(shape, options, {2, {}}).matrix->rows(sources), thinned.matrix->rows(sources));
}

/// In many dimensions this takes longer than most other stages.
TEST(Build, NeighboursOfSamplesAreSearchedOncePerGraph) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  Samples samples{RowMatrix<double>(3000, 16)};
  for (Index v = 0; v < 3000; ++v)
    for (Index d = 0; d < 16; ++d) samples.values(v, d) = normal(random) * (d < 2 ? 1 : 0.01);
  for (const auto& [method, graphs] : {std::pair(Method::cell, 1), std::pair(Method::sbha, 2)}) {
    BuildOptions options = with_landmarks(200);
    options.method = method;
    int searches = 0;
    build_matrix(samples, options, {1, [&](std::string_view stage, double fraction) {
                                      searches += stage == "neighbours" && fraction == 1;
                                      return true;
                                    }});
    EXPECT_EQ(searches, graphs);
  }
}

/// By work, not by time: as the squared Laplacian of thinned samples grows with the samples alone.
TEST(Build, ThePlanOfSamplesFollowsNeighboursDimensionsAndThinning) {
  const auto stages_of = [](const Samples& samples, const BuildOptions& options) {
    std::map<std::string, double> found;
    const BuildPlan plan = plan_build(samples, options, {1, {}});
    for (const auto& [stage, seconds] : plan.stages) found[stage] += seconds;
    found["memory"] = static_cast<double>(plan.peak_bytes);
    return found;
  };
  const Samples flat{RowMatrix<double>::Zero(100000, 3)}, wide{RowMatrix<double>::Zero(100000, 100)};
  BuildOptions options = with_landmarks(1000);
  EXPECT_GT(stages_of(wide, options)["landmark"], 5 * stages_of(flat, options)["landmark"]);
  options.geodesic.neighbours = 20;
  EXPECT_NEAR(stages_of(flat, options)["geodesic"], 2 * stages_of(flat, with_landmarks(1000))["geodesic"],
              1e-9);
  options.method = Method::sbha;
  auto thinned = stages_of(flat, options);
  options.interpolation.method = InterpolationMethod::partial;
  auto whole = stages_of(flat, options);
  EXPECT_GT(whole["interpolation"], 4 * thinned["interpolation"]);
  EXPECT_GT(whole["laplacian"], 4 * thinned["laplacian"]);
  EXPECT_GT(whole["memory"], 4 * thinned["memory"]);
  options.method = Method::bha;
  EXPECT_EQ(stages_of(flat, options)["laplacian"], whole["laplacian"]) << "of all samples";
}

TEST(Build, ThePlannedMemoryOfSamplesGrowsWithThem) {
  const auto bytes_per_sample = [](Index count) {
    BuildOptions options = with_landmarks(1000);
    options.method = Method::sbha;
    const BuildPlan plan = plan_build(Samples{RowMatrix<double>::Zero(count, 3)}, options, {1, {}});
    return static_cast<double>(plan.peak_bytes) / count;
  };
  EXPECT_GT(bytes_per_sample(1000000), bytes_per_sample(100000));
}

TEST(Build, ErrorFallsWithLandmarks) {
  const TriangleMesh mesh = make_torus(30, 14);
  const auto solver = make_solver(mesh);
  double before = infinity;
  for (const Index count : {20, 60, 180}) {
    const double error = relative_error(*build_matrix(mesh, with_landmarks(count)).matrix, *solver);
    EXPECT_LT(error, before / 2) << count;
    before = error;
  }
}

TEST(Build, DenseIsTheLimitOfSparse) {
  const TriangleMesh mesh = make_plane(16, 14);
  BuildOptions dense = with_landmarks(30);
  dense.precision = Precision::float64;  // or the weights of the sparse one would be rounded to 16 bits
  BuildOptions sparse = dense;
  dense.method = Method::bha;
  sparse.method = Method::sbha;
  sparse.interpolation.nonzeros = 30;
  const Build a = build_matrix(mesh, dense), b = build_matrix(mesh, sparse);
  const std::vector<Index> all = everything(a.matrix->size());
  EXPECT_LT(difference(a.matrix->rows(all), b.matrix->rows(all)), 1e-5);
}

TEST(Build, DoesNotDependOnThreads) {
  const TriangleMesh mesh = make_jittered_sphere(8);
  const Build one = build_matrix(mesh, with_landmarks(50), {.threads = 1, .progress = {}});
  const Build two = build_matrix(mesh, with_landmarks(50), {.threads = 2, .progress = {}});
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
  const Build result = build_matrix(mesh, options);
  const auto solver = make_solver(mesh, options.geodesic);
  EXPECT_LT(relative_error(*result.matrix, *solver), 5e-3);
  const std::array from{Index{0}}, to{Index{14}}, wall{Index{7}};
  EXPECT_GT(result.matrix->entries(from, to)[0], 1.2 * (mesh.points.row(0) - mesh.points.row(14)).norm());
  EXPECT_EQ(result.matrix->entries(from, wall)[0], infinity);
}

TEST(Build, TakesGivenLandmarks) {
  BuildOptions options;
  options.landmarks.method = LandmarkMethod::user;
  options.landmarks.vertices = {0, 50, 100, 200, 250, 300};
  const Build result = build_matrix(make_sphere(6), options);
  std::vector<Index> kept(result.matrix->landmark_matrix()->landmarks().begin(),
                          result.matrix->landmark_matrix()->landmarks().end());
  std::sort(kept.begin(), kept.end());
  EXPECT_EQ(kept, options.landmarks.vertices);
}

TEST(Build, ChoosesLandmarksByItself) {
  const auto count = [](std::vector<Index> sizes) { return default_landmark_count(sizes); };
  EXPECT_EQ(count({1000}), 200);
  EXPECT_EQ(count({100}), 50);
  EXPECT_EQ(count({30}), 30);
  EXPECT_EQ(count({}), 1);
  EXPECT_EQ(count({1}), 1);
  EXPECT_EQ(count({1'000'000}), 1000);
  // As many entries of W as in one component; specks beside it change nothing.
  EXPECT_EQ(count(std::vector<Index>(25, 40'000)), 5000);
  EXPECT_EQ(count(std::vector<Index>(25, 400)), 2000);
  EXPECT_EQ(count({436'846, 100, 90, 6, 3}), 1000);
  EXPECT_EQ(count(std::vector<Index>(4000, 250)), 10'000);
  EXPECT_EQ(count(std::vector<Index>(20'000, 50)), 20'000);
  EXPECT_EQ(build_matrix(make_sphere(6)).matrix->landmark_matrix()->landmarks().size(), 73u);  // 362 vertices
}

TEST(Build, IsExactWhileThatIsQuick) {
  const TriangleMesh mesh = make_sphere(17);  // 2,892 vertices
  for (const auto& [landmarks, method] : {std::pair<Index, const char*>{60, "exact"}, {900, "marching"}}) {
    EXPECT_EQ(plan_build(mesh, with_landmarks(landmarks)).geodesic, method);
    EXPECT_EQ(build_matrix(mesh, with_landmarks(landmarks)).summary.geodesic, method);
  }
  BuildOptions asked = with_landmarks(900);
  asked.geodesic.method = GeodesicMethod::exact;
  EXPECT_EQ(plan_build(mesh, asked).geodesic, "exact");
}

TEST(Build, SaysWhatItDidAndHowToRepeatIt) {
  const TriangleMesh mesh = make_sphere(6);
  const Build result = build_matrix(mesh, with_landmarks(40));
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
  EXPECT_EQ(stages,
            (std::vector<std::string>{"landmark", "geodesic", "interpolation", "pack", "certificate"}));
  EXPECT_GT(result.summary.cover_radius, 0);
}

TEST(Build, RefusesWhatCannotBe) {
  const TriangleMesh mesh = make_sphere(4);
  EXPECT_THROW(build_matrix(mesh, with_landmarks(-3)), InputError);
  EXPECT_THROW(build_matrix(mesh, with_landmarks(100000)), InputError);
  BuildOptions options = with_landmarks(10);
  options.interpolation.nonzeros = 0;
  EXPECT_THROW(build_matrix(mesh, options), InputError);
  EXPECT_THROW(build_matrix(make_two_spheres(4), with_landmarks(1)), InputError);
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

/// Trees, stars, rings: graphs on which rows of P may be equal.
std::vector<Graph> sparse_graphs() {
  Graph star{31, {}, {}}, ring{40, {}, {}};
  for (Index v = 1; v < star.vertices; ++v) star.edges.push_back({0, v, 1});
  for (Index v = 0; v < ring.vertices; ++v) ring.edges.push_back({v, (v + 1) % ring.vertices, 0.5});
  std::vector<Graph> graphs{star, ring};
  for (unsigned seed = 0; seed < 6; ++seed) {
    std::mt19937 random(seed);
    Graph tree{60, {}, {}};
    for (Index v = 1; v < tree.vertices; ++v)
      tree.edges.push_back({static_cast<Index>(random() % static_cast<unsigned>(v)), v,
                            1 + static_cast<double>(random() % 100) / 50});
    graphs.push_back(tree);
  }
  return graphs;
}

TEST(Build, PairsAndRowsAgreeAndNoTwoVerticesOfAGraphAreAtDistanceZero) {
  for (const Graph& graph : sparse_graphs())
    for (const Index landmarks : {3, 5, 12}) {
      const Build built = build_matrix(graph, with_landmarks(landmarks));
      const std::vector<Index> all = everything(graph.vertices);
      for (const LowerBound& bound : {lower_bound(graph), LowerBound()}) {
        const NearField field(*built.matrix->landmark_matrix(), bound);
        const RowMatrix<double> rows = field.rows(all);
        for (const Index i : all)
          for (const Index j : all) {
            EXPECT_NEAR(field.query(i, j), rows(i, j), 1e-6);
            if (i != j && bound.fits(graph.vertices) && bound(i, j) > 0) {
              EXPECT_GE(rows(i, j), bound(i, j));
            }
            EXPECT_EQ(rows(i, i), 0);
          }
      }
    }
}

TEST(Build, ScalesFarBeyondSinglePrecision) {
  for (auto& [name, shape] : every_kind()) {
    SCOPED_TRACE(name);
    const BuildOptions options = with_landmarks(60);
    const Build plain = build_matrix(shape, options);
    const NearField expected(*plain.matrix->landmark_matrix(), lower_bound(shape));
    const std::vector<Index> some{0, 17, 101};
    for (const double scale : {0x1p-330, 0x1p-100, 0x1p100, 0x1p330}) {
      const Shape other = in_units(shape, 1 / scale);
      const Build built = build_matrix(other, options);
      EXPECT_NEAR(built.summary.cover_radius / scale, plain.summary.cover_radius, 1e-6);
      const NearField field(*built.matrix->landmark_matrix(), lower_bound(other));
      const RowMatrix<double> rows = field.rows(some) / scale, wanted = expected.rows(some);
      for (Eigen::Index k = 0; k < rows.size(); ++k)
        if (std::isfinite(wanted.data()[k]) || std::isfinite(rows.data()[k])) {
          EXPECT_NEAR(rows.data()[k], wanted.data()[k], 2e-5 * (1 + wanted.data()[k])) << scale;
        }
    }
  }
}

TEST(Build, WarnsOfDistancesThatAreFarOff) {
  // Distances without any structure, between 1 and 2; near ones are not computed on the shape then.
  const Shape shape = make_sphere(4);
  std::mt19937 random(3);
  const Index size = vertex_count(shape);
  RowMatrix<double> K = RowMatrix<double>::Zero(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < i; ++j) K(i, j) = K(j, i) = 1 + static_cast<double>(random() % 1000) / 1000;
  BuildOptions unstructured = with_landmarks(30);
  unstructured.solver = std::make_shared<TableSolver>(K);
  const Build poor = build_matrix(shape, unstructured);
  EXPECT_FALSE(poor.summary.warnings.empty());
  const Build fine = build_matrix(make_sphere(8), with_landmarks(200));
  EXPECT_TRUE(fine.summary.warnings.empty());
  EXPECT_EQ(fine.summary.check.rows, static_cast<Index>(fine.certificate->error.rows.size()));
  EXPECT_LT(fine.summary.check.mean_relative_error, 0.02);
  BuildOptions without = unstructured;
  without.certificate_rows = 0;
  const Build checked = build_matrix(shape, without);
  EXPECT_EQ(checked.summary.check.rows, 8);
  EXPECT_FALSE(checked.summary.warnings.empty());
  without.check_rows = 0;
  EXPECT_EQ(build_matrix(shape, without).summary.check.rows, 0);
}

}  // namespace
}  // namespace geodome::internal
