#include "geodome/pipeline/methods.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "geodome/base/error.h"
#include "geodome/embedding/embedding.h"
#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "matrix/matrix_cases.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

BuildOptions options_of(Method method, Index landmarks = 30) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  return options;
}

EmbeddingOptions own_scaling(Index dimensions) {
  EmbeddingOptions options;
  options.dimensions = dimensions;
  options.method = ScalingMethod::automatic;
  return options;
}

/// Landmarks chosen and measured.
const MeasuredLandmarks& measured(PreparedShape& prepared, const LandmarkOptions& options) {
  return prepared.measure(prepared.choose(options));
}

double seconds_of(const Build& built, std::string_view stage) {
  for (const BuildStage& one : built.summary.stages)
    if (one.name == stage) return one.seconds;
  return -1;
}

RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

TEST(Methods, OnAPreparedShapeTheyAreTheSame) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const bool keep : {true, false}) {
    PrepareOptions prepare;
    prepare.keep_rows = keep;
    PreparedShape prepared(shape, prepare);
    EXPECT_EQ(prepared.components(), 2);
    for (const Method method : {Method::bha, Method::sbha})
      for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
        BuildOptions options = options_of(method);
        options.kind = kind;
        const Build ours = build_matrix(prepared, options);
        const Build expected = build_matrix(shape, options);
        EXPECT_LE(difference(all_rows(*ours.matrix), all_rows(*expected.matrix)), 1e-6);
        EXPECT_EQ(ours.summary.bytes, expected.matrix->bytes());
        EXPECT_EQ(ours.summary.landmarks, 30);
        EXPECT_EQ(ours.recipe, expected.recipe);
      }
  }
}

TEST(Methods, HaveTheTraitsOfTheMatricesTheyBuild) {
  const Shape shape = make_torus(16, 9);
  PreparedShape prepared(shape);
  for (const Named<Method>& one : methods()) {
    const MethodTraits& stated = traits(one.choice);
    const Build built = build_matrix(prepared, options_of(one.choice));
    const DistanceMatrix& matrix = *built.matrix;
    EXPECT_EQ(!matrix.codec().empty(), stated.file) << one.name;
    EXPECT_EQ(matrix.landmark_matrix() != nullptr, stated.factors) << one.name;
    EXPECT_EQ(matrix.points() != nullptr, stated.points) << one.name;
    EXPECT_EQ(!matrix.quadratic_product(), stated.linear) << one.name;
    EXPECT_EQ(built.summary.landmarks > 0, stated.landmarks) << one.name;
    EXPECT_EQ(built.summary.nonzeros > 0, stated.sparse) << one.name;
    EXPECT_EQ(seconds_of(built, "eigenvectors") >= 0, stated.eigenvectors) << one.name;
    EXPECT_EQ(built.summary.geodesic == prepared.geodesic(), stated.measures) << one.name;
  }
}

template <typename Work>
bool accepted(const Work& work) {
  try {
    work();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TEST(Methods, NeedAndAcceptWhatTheirTraitsSay) {
  const testing::TemporaryFolder folder;
  const Shape shape = make_torus(16, 9);
  RowMatrix<double> K(144, 144);
  make_solver(shape)->distances(everything(144), K);
  write_npy(K, folder / "K.npy");
  PrepareOptions no_rows;
  no_rows.row_bound = 100;
  for (const Named<Method>& one : methods()) {
    const MethodTraits& stated = traits(one.choice);
    BuildOptions options = options_of(one.choice);
    PreparedShape cramped(shape, no_rows);
    EXPECT_EQ(accepted([&] { build_matrix(cramped, options); }), !stated.columns) << one.name;
    BuildOptions given = options;
    given.distances = folder / "K.npy";
    EXPECT_EQ(accepted([&] { build_matrix(shape, given); }), stated.measures) << one.name;
    given = options;
    given.solver = make_solver(shape);
    EXPECT_EQ(accepted([&] { build_matrix(shape, given); }), stated.measures) << one.name;
    options.log = folder / "log";
    EXPECT_EQ(accepted([&] { build_matrix(shape, options); }), stated.factors) << one.name;
    EXPECT_EQ(std::filesystem::remove(folder / "log"), stated.factors) << one.name;
    EXPECT_EQ(accepted([&] { plan_build(shape, options_of(one.choice)); }), stated.file) << one.name;
  }
}

TEST(Methods, AreListedOnceEach) {
  int number = 0;
  std::set<std::string> names;
  for (const Named<Method>& one : methods()) {
    EXPECT_EQ(static_cast<int>(one.choice), number++) << one.name;
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
  }
  EXPECT_EQ(number, static_cast<int>(Method::spectrometer) + 1);
  EXPECT_THROW(traits(static_cast<Method>(number)), InputError);
}

TEST(Methods, EveryOneAnswersInTheSameWayHoweverItIsAsked) {
  const Shape shape = make_torus(16, 9);
  PreparedShape prepared(shape);
  for (const Named<Method>& one : methods())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      BuildOptions options = options_of(one.choice);
      options.kind = kind;
      const Build built = build_matrix(prepared, options);
      const DistanceMatrix& matrix = *built.matrix;
      ASSERT_EQ(matrix.size(), vertex_count(shape)) << one.name;
      EXPECT_EQ(matrix.kind(), kind) << one.name;
      EXPECT_GT(built.summary.bytes, 0);
      EXPECT_EQ(built.summary.bytes, matrix.bytes());
      EXPECT_GT(built.summary.reference_bytes, 0);
      EXPECT_GT(built.summary.workspace_bytes, 0);
      EXPECT_GT(built.summary.seconds, 0);
      const RowMatrix<double> K = all_rows(matrix);
      EXPECT_LE(difference(K, K.transpose()), 1e-12) << one.name;
      const Pairs pairs = random_pairs(matrix.size(), 40);
      const Vector entries = matrix.entries(pairs.I, pairs.J);
      const RowMatrix<double> block = matrix.block(pairs.I, pairs.J);
      const double scale = largest_finite(K);
      for (Index k = 0; k < 40; ++k) {
        EXPECT_NEAR(entries[k], K(pairs.I[k], pairs.J[k]), 1e-12 * scale) << one.name;
        EXPECT_NEAR(block(k, k), entries[k], 1e-12 * scale) << one.name;
      }
      const RowMatrix<double> X = RowMatrix<double>::Random(matrix.size(), 5);
      const RowMatrix<double> product = K * X;
      for (const int threads : {1, 3})
        EXPECT_LE((matrix.apply(X, Execution{threads}) - product).norm(), 1e-12 * product.norm()) << one.name;
      EXPECT_EQ(matrix.apply(X, Execution{1}), matrix.apply(X, Execution{3})) << one.name;
    }
}

TEST(Methods, WhatIsSharedIsMeasuredOnceAndChargedToAll) {
  const Shape shape = make_sphere(6);
  PreparedShape prepared(shape);
  const MeasuredLandmarks& first = measured(prepared, {LandmarkMethod::farthest, 20, 0, {}});
  const MeasuredLandmarks& again = measured(prepared, {LandmarkMethod::farthest, 20, 0, {}});
  EXPECT_EQ(&first, &again);
  EXPECT_NE(&first, &measured(prepared, {LandmarkMethod::farthest, 20, 1, {}}));
  const Build bha = build_matrix(prepared, options_of(Method::bha, 20));
  const Build sbha = build_matrix(prepared, options_of(Method::sbha, 20));
  ASSERT_GE(bha.summary.stages.size(), 4u);
  for (const char* stage : {"landmark", "laplacian", "geodesic"}) {
    EXPECT_EQ(seconds_of(bha, stage), seconds_of(sbha, stage)) << stage;
    EXPECT_GT(seconds_of(bha, stage), 0) << stage;
  }
  EXPECT_GT(seconds_of(bha, "interpolation"), 0);
  prepared.forget();
  EXPECT_LE(difference(all_rows(*build_matrix(prepared, options_of(Method::bha, 20)).matrix),
                       all_rows(*bha.matrix)),
            0);
}

TEST(Methods, ColumnsAreTheSolversWithinAComponent) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  PreparedShape prepared(shape);
  const MeasuredLandmarks& landmarks = measured(prepared, {LandmarkMethod::farthest, 24, 0, {}});
  const RowMatrix<float> C = prepared.columns(landmarks).value;
  const RowMatrix<double> expected =
      prepared.solver().between(landmarks.order.vertices, everything(prepared.size()));
  ASSERT_EQ(landmarks.order.component_first.size(), 3u);
  for (Index v = 0; v < prepared.size(); ++v) {
    const Index c = landmarks.order.component[v];
    const Index first = c < 0 ? 0 : landmarks.order.component_first[c];
    const Index count = c < 0 ? 0 : landmarks.order.component_first[c + 1] - first;
    for (Index k = 0; k < count; ++k) EXPECT_NEAR(C(v, k), expected(first + k, v), 1e-5);
    EXPECT_EQ(C.row(v).tail(C.cols() - count).cwiseAbs().sum(), 0);
  }
}

TEST(Methods, SayWhatDoesNotFit) {
  const Shape shape = make_sphere(6);
  PreparedShape prepared(shape);
  BuildOptions options = options_of(Method::exact);
  options.memory_bound = 1000;
  EXPECT_THROW(build_matrix(prepared, options), InputError);
  for (const Method method : {Method::bha, Method::fmds, Method::hybrid, Method::pivot}) {
    options.method = method;
    const Execution watched{1, [](std::string_view stage, double) {
                              ADD_FAILURE() << stage << " before what it takes was known";
                              return true;
                            }};
    EXPECT_THROW(build_matrix(prepared, options, watched), InputError);
  }
  options = options_of(Method::sbha, -3);
  EXPECT_THROW(build_matrix(prepared, options), InputError);
  options = options_of(Method::sbha);
  options.interpolation.nonzeros = 0;
  EXPECT_THROW(build_matrix(prepared, options), InputError);
  PrepareOptions little;
  little.row_bound = 100;
  PreparedShape cramped(shape, little);
  EXPECT_THROW(cramped.columns(measured(cramped, {LandmarkMethod::farthest, 20, 0, {}})), InputError);
}

TEST(Methods, ParametersReachTheirMethods) {
  const Shape shape = make_torus(16, 9);
  PreparedShape prepared(shape);
  const Index n = prepared.size();
  BuildOptions options = options_of(Method::fmds_hard);
  options.kind = DistanceKind::squared;
  const RowMatrix<double> squared = all_rows(*build_matrix(prepared, options).matrix);
  options.kind = DistanceKind::distance;
  options.baseline.square_root = true;
  const Build root = build_matrix(prepared, options);
  EXPECT_EQ(root.matrix->kind(), DistanceKind::distance);
  EXPECT_LE(difference(all_rows(*root.matrix), squared.cwiseMax(0.0).cwiseSqrt()), 1e-12);

  options = options_of(Method::hybrid);
  const std::int64_t all = build_matrix(prepared, options).summary.bytes;
  options.baseline.columns = 10;
  EXPECT_EQ(all - build_matrix(prepared, options).summary.bytes, 20 * (n + 8));

  options = options_of(Method::nystrom_truncated);
  const std::int64_t kept = build_matrix(prepared, options).summary.bytes;
  options.baseline.truncation = 0.1;
  EXPECT_LT(build_matrix(prepared, options).summary.bytes, kept);

  options = options_of(Method::smds);
  options.baseline.eigenvectors = 12;
  EXPECT_EQ(build_matrix(prepared, options).summary.bytes, 4 * 12 * (n + 1));
  options = options_of(Method::pivot);
  options.baseline.dimensions = 5;
  EXPECT_EQ(build_matrix(prepared, options).summary.bytes, 4 * 5 * n);

  options = options_of(Method::fmds);
  const RowMatrix<double> soft = all_rows(*build_matrix(prepared, options).matrix);
  options.baseline.softening = 1e9;
  const RowMatrix<double> hard = all_rows(*build_matrix(prepared, options_of(Method::fmds_hard)).matrix);
  EXPECT_GT(difference(soft, hard), 1e-3);
  EXPECT_LE(difference(all_rows(*build_matrix(prepared, options).matrix), hard), 1e-4);
}

TEST(Methods, WorkOnSeveralComponentsOrSayWhyNot) {
  const Shape shape = apart(make_sphere(4), make_plane(9, 8));
  PreparedShape prepared(shape);
  RowMatrix<double> K(prepared.size(), prepared.size());
  prepared.solver().distances(everything(prepared.size()), K);
  for (const Named<Method>& one : methods()) {
    const BuildOptions options = options_of(one.choice, 40);
    if (one.choice == Method::smds) {
      EXPECT_THROW(build_matrix(prepared, options), InputError);
      continue;
    }
    const RowMatrix<double> ours = all_rows(*build_matrix(prepared, options).matrix);
    EXPECT_TRUE((ours.array().isFinite() == K.array().isFinite()).all()) << one.name;
    BuildOptions squared = options;
    squared.kind = DistanceKind::squared;
    const Embedding form = embed(*build_matrix(prepared, squared).matrix, own_scaling(3));
    EXPECT_EQ(form.components.size(), 2u) << one.name;
    EXPECT_EQ(form.component[make_sphere(4).points.rows()], -1) << one.name;
  }
}

TEST(Methods, CtgMendsItsTriangulationBySamples) {
  const Shape shape = make_cylinder(10, 40, 0.15, 3);  // so thin that cells of few samples go around it
  PreparedShape prepared(shape);
  BuildOptions options = options_of(Method::ctg, 8);
  options.baseline.repair = 0;
  const Build few = build_matrix(prepared, options);
  EXPECT_GT(few.summary.landmarks, 8);
  EXPECT_LE(few.summary.landmarks, 16);
  options.baseline.repair = 20;
  const Build many = build_matrix(prepared, options);
  EXPECT_GT(many.summary.landmarks, 16);
  EXPECT_NE(many.summary.note.find("samples were added"), std::string::npos);
  double seconds = 0;
  for (const BuildStage& stage : many.summary.stages) seconds += stage.seconds;
  EXPECT_NEAR(seconds, many.summary.seconds, 1e-9) << "no stage is counted twice";
  EXPECT_EQ(many.summary.added_landmarks, many.summary.landmarks - 8);
  EXPECT_EQ(many.summary.note.find("broken"), std::string::npos) << many.summary.note;
  options.baseline.repair = -1;
  EXPECT_THROW(build_matrix(prepared, options), InputError);
}

TEST(Methods, WorkOnGraphsOrSayWhyNot) {
  const Shape shape = make_grid_graph(9, 7);
  PreparedShape prepared(shape);
  EXPECT_THROW(build_matrix(prepared, options_of(Method::ctg, 20)), InputError);
  BuildOptions options = options_of(Method::spectrometer, 40);
  const Build built = build_matrix(prepared, options);
  EXPECT_EQ(built.summary.bytes, 8 * 40 * 63);
  options.baseline.eigenvectors = 10;
  EXPECT_EQ(build_matrix(prepared, options).summary.bytes, 8 * 10 * 63);
  RowMatrix<double> K(63, 63);
  prepared.solver().distances(everything(63), K);
  EXPECT_LE((all_rows(*built.matrix) - K).norm(), 0.4 * K.norm());
  options.baseline.eigenvectors = 0;
  EXPECT_THROW(build_matrix(prepared, options), InputError);
}

/// All there is about points, but for how they are turned.
Eigen::MatrixXd gram(const Embedding& embedding) {
  return embedding.Z * embedding.Z.transpose();
}

TEST(Methods, EmbedByTheirOwnScaling) {
  const Shape shape = make_plane(12, 9);
  PreparedShape prepared(shape);
  const Embedding expected = embed_exactly(prepared.solver(), {.dimensions = 2});
  for (const Named<Method>& one : methods()) {
    // With 40, these two come out on either side of the bound, by the seed of the landmarks.
    const bool weak = one.choice == Method::smds || one.choice == Method::spectrometer;
    BuildOptions options = options_of(one.choice, weak ? 70 : 40);
    options.kind = DistanceKind::squared;
    options.baseline.dimensions = 2;
    options.baseline.smds_weight = 1e4;  // in the units of a plane of size one
    const Build built = build_matrix(prepared, options);
    const Embedding form = embed(*built.matrix, own_scaling(2));
    ASSERT_EQ(form.Z.rows(), prepared.size());
    ASSERT_EQ(form.components.size(), 1u);
    EXPECT_LE((gram(form) - gram(expected)).norm(), 0.1 * gram(expected).norm()) << one.name;
    if (one.choice == Method::bha) {
      EmbeddingOptions without = own_scaling(2);
      without.memory_bound = 0;
      const Embedding other = embed(*built.matrix, without);
      EXPECT_FALSE(other.note.empty());
      EXPECT_LE((gram(other) - gram(form)).norm(), 1e-5 * gram(expected).norm());
    }
  }
}

}  // namespace
}  // namespace geodome::internal
