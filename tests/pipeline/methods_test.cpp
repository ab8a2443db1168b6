#include "geodome/pipeline/methods.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome {
namespace {

MethodOptions options_of(Method method, Index landmarks = 30) {
  MethodOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  return options;
}

RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

TEST(Methods, OursAreThoseOfTheMainBuild) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const bool keep : {true, false}) {
    PrepareOptions prepare;
    prepare.keep_rows = keep;
    PreparedShape prepared(shape, prepare);
    EXPECT_EQ(prepared.components(), 2);
    for (const auto& [method, same] :
         {std::pair{Method::bha, BuildMethod::bha}, {Method::sbha, BuildMethod::sbha}})
      for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
        MethodOptions options = options_of(method);
        options.kind = kind;
        BuildOptions build_options;
        build_options.method = same;
        build_options.landmarks.count = 30;
        build_options.kind = kind;
        const MethodMatrix ours = build_method(prepared, options);
        const Build expected = build(shape, build_options);
        EXPECT_LE(difference(all_rows(*ours.matrix), all_rows(*expected.matrix)), 1e-6);
        EXPECT_EQ(ours.bytes, expected.matrix->bytes());
        EXPECT_EQ(ours.landmarks, 30);
      }
  }
}

TEST(Methods, EveryOneAnswersInTheSameWayHoweverItIsAsked) {
  const Shape shape = make_torus(16, 9);
  PreparedShape prepared(shape);
  for (const Named<Method>& one : methods())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      MethodOptions options = options_of(one.choice);
      options.kind = kind;
      const MethodMatrix built = build_method(prepared, options);
      const DistanceMatrix& matrix = *built.matrix;
      ASSERT_EQ(matrix.size(), vertex_count(shape)) << one.name;
      EXPECT_EQ(matrix.kind(), kind) << one.name;
      EXPECT_GT(built.bytes, 0);
      EXPECT_EQ(built.bytes, matrix.bytes());
      EXPECT_GT(built.reference_bytes, 0);
      EXPECT_GT(built.workspace_bytes, 0);
      EXPECT_GT(built.total_seconds(), 0);
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
  const MeasuredLandmarks& first = prepared.landmarks({LandmarkMethod::farthest, 20, 0, {}});
  const MeasuredLandmarks& again = prepared.landmarks({LandmarkMethod::farthest, 20, 0, {}});
  EXPECT_EQ(&first, &again);
  EXPECT_NE(&first, &prepared.landmarks({LandmarkMethod::farthest, 20, 1, {}}));
  const MethodMatrix bha = build_method(prepared, options_of(Method::bha, 20));
  const MethodMatrix sbha = build_method(prepared, options_of(Method::sbha, 20));
  ASSERT_GE(bha.seconds.size(), 4u);
  for (std::size_t stage = 0; stage < 3; ++stage) {
    EXPECT_EQ(bha.seconds[stage], sbha.seconds[stage]);
    EXPECT_GT(bha.seconds[stage].second, 0);
  }
  prepared.forget();
  EXPECT_LE(difference(all_rows(*build_method(prepared, options_of(Method::bha, 20)).matrix),
                       all_rows(*bha.matrix)),
            0);
}

TEST(Methods, ColumnsAreTheSolversWithinAComponent) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  PreparedShape prepared(shape);
  const MeasuredLandmarks& landmarks = prepared.landmarks({LandmarkMethod::farthest, 24, 0, {}});
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
  MethodOptions options = options_of(Method::exact);
  options.memory_bound = 1000;
  EXPECT_THROW(build_method(prepared, options), InputError);
  for (const Method method : {Method::bha, Method::fmds, Method::hybrid, Method::pivot}) {
    options.method = method;
    const Execution watched{1, [](std::string_view stage, double) {
                              ADD_FAILURE() << stage << " before what it takes was known";
                              return true;
                            }};
    EXPECT_THROW(build_method(prepared, options, watched), InputError);
  }
  options = options_of(Method::sbha, -3);
  EXPECT_THROW(build_method(prepared, options), InputError);
  options = options_of(Method::sbha);
  options.interpolation.nonzeros = 0;
  EXPECT_THROW(build_method(prepared, options), InputError);
  PrepareOptions little;
  little.row_bound = 100;
  PreparedShape cramped(shape, little);
  EXPECT_THROW(cramped.columns(cramped.landmarks({LandmarkMethod::farthest, 20, 0, {}})), InputError);
}

TEST(Methods, ParametersReachTheirMethods) {
  const Shape shape = make_torus(16, 9);
  PreparedShape prepared(shape);
  const Index n = prepared.size();
  MethodOptions options = options_of(Method::fmds_hard);
  options.kind = DistanceKind::squared;
  const RowMatrix<double> squared = all_rows(*build_method(prepared, options).matrix);
  options.kind = DistanceKind::distance;
  options.square_root = true;
  const MethodMatrix root = build_method(prepared, options);
  EXPECT_EQ(root.matrix->kind(), DistanceKind::distance);
  EXPECT_LE(difference(all_rows(*root.matrix), squared.cwiseMax(0.0).cwiseSqrt()), 1e-12);

  options = options_of(Method::hybrid);
  const std::int64_t all = build_method(prepared, options).bytes;
  options.columns = 10;
  EXPECT_EQ(all - build_method(prepared, options).bytes, 20 * (n + 8));

  options = options_of(Method::nystrom_truncated);
  const std::int64_t kept = build_method(prepared, options).bytes;
  options.truncation = 0.1;
  EXPECT_LT(build_method(prepared, options).bytes, kept);

  options = options_of(Method::smds);
  options.eigenvectors = 12;
  EXPECT_EQ(build_method(prepared, options).bytes, 4 * 12 * (n + 1));
  options = options_of(Method::pivot);
  options.dimensions = 5;
  EXPECT_EQ(build_method(prepared, options).bytes, 4 * 5 * n);

  options = options_of(Method::fmds);
  const RowMatrix<double> soft = all_rows(*build_method(prepared, options).matrix);
  options.softening = 1e9;
  const RowMatrix<double> hard = all_rows(*build_method(prepared, options_of(Method::fmds_hard)).matrix);
  EXPECT_GT(difference(soft, hard), 1e-3);
  EXPECT_LE(difference(all_rows(*build_method(prepared, options).matrix), hard), 1e-4);
}

TEST(Methods, WorkOnSeveralComponentsOrSayWhyNot) {
  const Shape shape = apart(make_sphere(4), make_plane(9, 8));
  PreparedShape prepared(shape);
  RowMatrix<double> K(prepared.size(), prepared.size());
  prepared.solver().distances(everything(prepared.size()), K);
  for (const Named<Method>& one : methods()) {
    const MethodOptions options = options_of(one.choice, 40);
    if (one.choice == Method::smds) {
      EXPECT_THROW(build_method(prepared, options), InputError);
      continue;
    }
    const RowMatrix<double> ours = all_rows(*build_method(prepared, options).matrix);
    EXPECT_TRUE((ours.array().isFinite() == K.array().isFinite()).all()) << one.name;
    MethodOptions squared = options;
    squared.kind = DistanceKind::squared;
    const MethodEmbedding form = embed_method(build_method(prepared, squared), one.choice);
    EXPECT_EQ(form.embedding.components.size(), 2u) << one.name;
    EXPECT_EQ(form.embedding.component[make_sphere(4).points.rows()], -1) << one.name;
  }
}

TEST(Methods, CtgMendsItsTriangulationBySamples) {
  const Shape shape = make_cylinder(10, 40, 0.15, 3);  // so thin that cells of few samples go around it
  PreparedShape prepared(shape);
  MethodOptions options = options_of(Method::ctg, 8);
  options.repair = 0;
  const MethodMatrix few = build_method(prepared, options);
  EXPECT_GT(few.landmarks, 8);
  EXPECT_LE(few.landmarks, 16);
  options.repair = 20;
  const MethodMatrix many = build_method(prepared, options);
  EXPECT_GT(many.landmarks, 16);
  EXPECT_NE(many.note.find("samples were added"), std::string::npos);
  EXPECT_EQ(many.note.find("broken"), std::string::npos) << many.note;
  options.repair = -1;
  EXPECT_THROW(build_method(prepared, options), InputError);
}

TEST(Methods, WorkOnGraphsOrSayWhyNot) {
  const Shape shape = make_grid_graph(9, 7);
  PreparedShape prepared(shape);
  EXPECT_THROW(build_method(prepared, options_of(Method::ctg, 20)), InputError);
  MethodOptions options = options_of(Method::spectrometer, 40);
  const MethodMatrix built = build_method(prepared, options);
  EXPECT_EQ(built.bytes, 8 * 40 * 63);
  options.eigenvectors = 10;
  EXPECT_EQ(build_method(prepared, options).bytes, 8 * 10 * 63);
  RowMatrix<double> K(63, 63);
  prepared.solver().distances(everything(63), K);
  EXPECT_LE((all_rows(*built.matrix) - K).norm(), 0.4 * K.norm());
  options.eigenvectors = 0;
  EXPECT_THROW(build_method(prepared, options), InputError);
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
    MethodOptions options = options_of(one.choice, weak ? 70 : 40);
    options.kind = DistanceKind::squared;
    options.dimensions = 2;
    options.smds_weight = 1e4;  // in the units of a plane of size one
    const MethodMatrix built = build_method(prepared, options);
    const MethodEmbedding form = embed_method(built, one.choice, {.dimensions = 2});
    ASSERT_EQ(form.embedding.Z.rows(), prepared.size());
    ASSERT_EQ(form.embedding.components.size(), 1u);
    EXPECT_LE((gram(form.embedding) - gram(expected)).norm(), 0.1 * gram(expected).norm()) << one.name;
    if (one.choice == Method::bha) {
      const MethodEmbedding other = embed_method(built, one.choice, {.dimensions = 2, .memory_bound = 0});
      EXPECT_FALSE(other.note.empty());
      EXPECT_LE((gram(other.embedding) - gram(form.embedding)).norm(), 1e-5 * gram(expected).norm());
    }
  }
}

}  // namespace
}  // namespace geodome
