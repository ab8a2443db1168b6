#include <algorithm>
#include <array>
#include <cmath>

#include "baselines/baseline_cases.h"
#include "geodome/base/error.h"
#include "geodome/baselines/fmds.h"
#include "geodome/baselines/landmark_mds.h"
#include "geodome/baselines/nystrom.h"
#include "geodome/baselines/points.h"
#include "geodome/baselines/smds.h"
#include "geodome/embedding/embedding.h"

namespace geodome::internal {
namespace {

FactoredMatrix smds_of(const RivalCase& one, DistanceKind kind, const SmdsOptions& options) {
  const Index m = std::min(options.eigenvectors, one.size());
  return smds(low_eigenpairs(one.base.operators, m), one.base.landmarks.vertices,
              one.columns().between(0, false), one.base.landmarks.component, kind, options);
}

TEST(Smds, IsItsFormula) {
  const RivalCase one = make_rival_case("torus", make_torus(14, 8), 25);
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    const SmdsOptions options{30, 2.5};
    const FactoredMatrix matrix = smds_of(one, kind, options);
    expect_consistent(matrix, "torus");
    const Eigenpairs pairs = low_eigenpairs(one.base.operators, 30);
    Eigen::MatrixXd Phi = pairs.vectors;
    Phi.colwise().normalize();
    Eigen::MatrixXd Phib(25, 30);
    for (Eigen::Index k = 0; k < 25; ++k) Phib.row(k) = Phi.row(one.base.landmarks.vertices[k]);
    const Eigen::MatrixXd system = Eigen::MatrixXd(pairs.values.asDiagonal()) + 2.5 * Phib.transpose() * Phib;
    const Eigen::MatrixXd H = 2.5 * solution(system, Phib.transpose());
    const Eigen::MatrixXd W = one.columns().between(0, kind == DistanceKind::squared);
    EXPECT_LE(difference(all_entries(matrix), Phi * H * W * H.transpose() * Phi.transpose()), 1e-5);
    EXPECT_EQ(matrix.columns(), 25);
    EXPECT_EQ(matrix.bytes(), 4 * 25 * (one.size() + 1));
  }
}

TEST(Smds, ConvergesToTheTruthAsEigenvectorsAndLandmarksGrow) {
  double before = infinity;
  for (const auto& [eigenvectors, landmarks] : {std::pair{10, 30}, {30, 90}, {80, 200}, {252, 252}}) {
    const RivalCase one = make_rival_case("sphere", make_sphere(5), landmarks);
    const double error = error_of(smds_of(one, DistanceKind::distance, {eigenvectors, 1e6}),
                                  truth(one, DistanceKind::distance));
    EXPECT_LT(error, before) << eigenvectors;
    before = error;
  }
  EXPECT_LE(before, 1e-6);  // all vertices, all eigenvectors: everything
}

TEST(Smds, RefusesWhatMakesNoSense) {
  const RivalCase one = make_rival_case("plane", make_plane(6, 5), 6);
  EXPECT_THROW(smds_of(one, DistanceKind::distance, {10, 0}), InputError);
  const Eigenpairs pairs = low_eigenpairs(one.base.operators, 5);
  const auto& order = one.base.landmarks;
  EXPECT_THROW(
      smds(pairs, order.vertices, Eigen::MatrixXd::Zero(3, 3), order.component, DistanceKind::distance),
      InputError);
  EXPECT_THROW(smds(pairs, order.vertices, Eigen::MatrixXd::Zero(6, 6), order.component,
                    DistanceKind::distance, {0, 1}),
               InputError);
}

TEST(LandmarkMds, IsExactOnEuclideanPoints) {
  const RivalCase one = make_rival_case("plane", make_plane(13, 10), 12);
  const Eigen::MatrixXd K = truth(one, DistanceKind::distance);
  for (const Index dimensions : {2, 3}) {
    const Embedding form = landmark_mds(one.columns(), dimensions);
    const PointMatrix matrix(form.Z.cast<float>(), {}, DistanceKind::distance);
    EXPECT_LE(error_of(matrix, K), 1e-8);
    EXPECT_EQ(form.components.at(0).axes, 2);
    EXPECT_LE(form.Z.colwise().sum().cwiseAbs().maxCoeff(), 1e-4 * form.Z.norm());
    EXPECT_GE(form.Z.col(0).norm(), form.Z.col(1).norm());
  }
  EXPECT_THROW(landmark_mds(one.columns(), 0), InputError);
}

TEST(LandmarkMds, IsClassicalScalingWhenAllAreLandmarks) {
  const RivalCase one = make_rival_case("torus", make_torus(9, 6), 54);
  const Embedding expected = embed_exactly(*one.base.solver);
  for (const Embedding& form : {landmark_mds(one.columns(), 3), pivot_mds(one.columns(), 3)}) {
    const Eigen::MatrixXd ours = form.Z * form.Z.transpose(), gram = expected.Z * expected.Z.transpose();
    EXPECT_LE((ours - gram).norm(), 1e-4 * gram.norm());
  }
}

TEST(PivotMds, FindsTheShapeOfEuclideanPoints) {
  const RivalCase one = make_rival_case("plane", make_plane(13, 10), 40);
  const Embedding form = pivot_mds(one.columns(), 2);
  // The scale of an axis is estimated, not known.
  EXPECT_LE(error_of(PointMatrix(form.Z.cast<float>(), {}, DistanceKind::distance),
                     truth(one, DistanceKind::distance)),
            0.05);
  EXPECT_THROW(pivot_mds(one.columns(), -1), InputError);
}

TEST(PointMatrix, AnswersInEitherKindAndPerComponent) {
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared})
      for (const bool pivot : {false, true}) {
        const Embedding form = pivot ? pivot_mds(one.columns(), 3) : landmark_mds(one.columns(), 3);
        ASSERT_EQ(static_cast<Index>(form.components.size()), one.columns().components());
        const PointMatrix matrix(form.Z.cast<float>(), one.columns().labels(), kind);
        expect_consistent(matrix, one.base.name);
        EXPECT_LT(error_of(matrix, truth(one, kind)), 0.2) << one.base.name;
        EXPECT_EQ(matrix.bytes(), 12 * one.size() + (one.columns().components() > 1 ? 4 * one.size() : 0));
        for (const DistanceKind other : {DistanceKind::distance, DistanceKind::squared}) {
          const auto converted = matrix.converted(other);
          EXPECT_EQ(converted->kind(), other);
          EXPECT_EQ(converted->points(), matrix.points()) << "shared";
          EXPECT_EQ(all_entries(*converted),
                    all_entries(PointMatrix(form.Z.cast<float>(), one.columns().labels(), other)));
        }
      }
  EXPECT_THROW(PointMatrix(RowMatrix<float>::Zero(3, 2), {0, 0}, DistanceKind::distance), InputError);
}

TEST(FactoredScaling, IsTheScalingOfTheMatrixItself) {
  for (const RivalCase& one : rival_cases()) {
    const auto& order = one.base.landmarks;
    const FactoredMatrix forms[] = {
        fmds(one.columns(), dense_interpolation_operator(one.base.operators, order.vertices, order.cell),
             DistanceKind::squared),
        nystrom(one.columns(), DistanceKind::squared, 1e-3)};
    for (const FactoredMatrix& form : forms) {
      EmbeddingOptions dense;
      dense.method = ScalingMethod::dense;
      EmbeddingOptions automatic;
      automatic.method = ScalingMethod::automatic;
      const Embedding expected = embed(form, dense), ours = embed(form, automatic);
      EXPECT_TRUE(ours.note.empty()) << ours.note;
      EXPECT_EQ(ours.components[0].products, 0) << "by a QR decomposition";
      const Eigen::MatrixXd gram = expected.Z * expected.Z.transpose();
      EXPECT_LE((ours.Z * ours.Z.transpose() - gram).norm(), 1e-5 * gram.norm()) << one.base.name;
      EXPECT_EQ(ours.component, expected.component);
      EXPECT_EQ(form.own_scaling()->workspace_bytes,
                8 * static_cast<std::int64_t>(form.factors().A.size() + form.factors().B.size()));
      EmbeddingOptions little = automatic;
      little.memory_bound = form.own_scaling()->workspace_bytes - 1;
      const Embedding other = embed(form, little);
      EXPECT_NE(other.note.find("QR"), std::string::npos) << "above the bound, products are used";
      EXPECT_LE((other.Z * other.Z.transpose() - gram).norm(), 1e-5 * gram.norm()) << one.base.name;
    }
  }
}

}  // namespace
}  // namespace geodome::internal
