#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "baselines/baseline_cases.h"
#include "geodome/base/error.h"
#include "geodome/baselines/fmds.h"
#include "geodome/baselines/nystrom.h"
#include "geodome/matrix/packed_full_matrix.h"
#include "geodome/matrix/root.h"

namespace geodome::internal {
namespace {

constexpr std::array both_kinds = {DistanceKind::distance, DistanceKind::squared};
constexpr std::int64_t enough = std::int64_t{1} << 30;

TEST(PackedFullMatrix, IsTheTruthInSinglePrecision) {
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : both_kinds) {
      const PackedFullMatrix matrix(one.size(), packed_distances(*one.base.solver, enough), kind);
      EXPECT_LE(difference(all_entries(matrix), truth(one, kind)), 1e-6) << one.base.name;
      EXPECT_EQ(matrix.bytes(), 4 * packed_size(one.size()));
      EXPECT_EQ(matrix.bytes(), packed_full_bytes(one.size()));
      expect_consistent(matrix, one.base.name);
    }
  const RivalCase one = make_rival_case("plane", make_plane(5, 4), 4);
  auto first = std::make_unique<PackedFullMatrix>(one.size(), packed_distances(*one.base.solver, enough),
                                                  DistanceKind::distance);
  const PackedFullMatrix squared(*first, DistanceKind::squared);
  first.reset();  // the numbers are shared, so they stay
  EXPECT_LE(difference(all_entries(squared), truth(one, DistanceKind::squared)), 1e-6);
  EXPECT_THROW(packed_distances(*one.base.solver, 100), InputError);
  EXPECT_THROW(PackedFullMatrix(4, std::vector<float>(3), DistanceKind::distance), InputError);
}

/// C W⁻¹ Cᵀ of one component.
Eigen::MatrixXd reference_nystrom(const RivalCase& one, DistanceKind kind) {
  Eigen::MatrixXd C = one.C.cast<double>();
  if (kind == DistanceKind::squared) C = C.cwiseAbs2().eval();
  const Eigen::MatrixXd W = one.columns().between(0, kind == DistanceKind::squared);
  return C * solution(W, C.transpose());
}

TEST(Nystrom, IsItsFormula) {
  for (const RivalCase& one : rival_cases()) {
    for (const DistanceKind kind : both_kinds) {
      const FactoredMatrix matrix = nystrom(one.columns(), kind, plain_nystrom_cut);
      expect_consistent(matrix, one.base.name);
      EXPECT_EQ(matrix.kind(), kind);
      const auto count = static_cast<std::int64_t>(one.C.cols()), n = static_cast<std::int64_t>(one.size());
      const bool whole = one.columns().components() == 1;
      EXPECT_EQ(matrix.bytes(), 4 * (n * count + count * one.columns().components()) + (whole ? 0 : 4 * n));
    }
    if (one.columns().components() > 1) continue;
    const Eigen::MatrixXd expected = reference_nystrom(one, DistanceKind::distance);
    EXPECT_LE(
        difference(all_entries(nystrom(one.columns(), DistanceKind::distance, plain_nystrom_cut)), expected),
        1e-4)
        << one.base.name;
  }
}

TEST(Nystrom, IsExactWhereTheRankAllows) {
  // Squared distances in a plane have rank 4, in a sphere's space 5: as many landmarks hold all.
  const RivalCase plane = make_rival_case("plane", make_plane(13, 10), 8);
  for (const double cut : {1e-5, 1e-3})
    EXPECT_LE(
        error_of(nystrom(plane.columns(), DistanceKind::squared, cut), truth(plane, DistanceKind::squared)),
        1e-9)
        << cut;
  // All vertices as landmarks hold everything.
  const RivalCase full = make_rival_case("all", make_plane(6, 5), 30);
  EXPECT_LE(error_of(nystrom(full.columns(), DistanceKind::distance, plain_nystrom_cut),
                     truth(full, DistanceKind::distance)),
            1e-9);
  EXPECT_THROW(nystrom(full.columns(), DistanceKind::distance, -1), InputError);
  EXPECT_THROW(nystrom(full.columns(), DistanceKind::distance, 1), InputError);
}

TEST(Nystrom, TruncationKeepsFewerColumns) {
  const RivalCase one = make_rival_case("sphere", make_sphere(5), 60);
  const FactoredMatrix plain = nystrom(one.columns(), DistanceKind::distance, plain_nystrom_cut);
  const FactoredMatrix truncated = nystrom(one.columns(), DistanceKind::distance, 1e-2);
  EXPECT_EQ(plain.columns(), 60);
  EXPECT_LT(truncated.columns(), 60);
  EXPECT_LT(error_of(truncated, truth(one, DistanceKind::distance)), 1e-3);
}

/// P (M_bb + μI + M_bu P_u)⁻¹ μ, dense.
Eigen::MatrixXd reference_soft(const RivalCase& one, double softening) {
  const auto& landmarks = one.base.landmarks.vertices;
  const Eigen::MatrixXd M = Eigen::MatrixXd(biharmonic(one.base.operators));
  std::vector<Index> rest;
  for (Index v = 0; v < one.size(); ++v)
    if (std::find(landmarks.begin(), landmarks.end(), v) == landmarks.end()) rest.push_back(v);
  const Eigen::MatrixXd Pu = -solution(pick(M, rest, rest), pick(M, rest, landmarks));
  Eigen::MatrixXd S = pick(M, landmarks, landmarks) + pick(M, landmarks, rest) * Pu;
  S.diagonal().array() += softening;
  const auto count = static_cast<Eigen::Index>(landmarks.size());
  Eigen::MatrixXd P = Eigen::MatrixXd::Zero(one.size(), count);
  for (Eigen::Index k = 0; k < count; ++k) P(landmarks[k], k) = 1;
  for (std::size_t k = 0; k < rest.size(); ++k) P.row(rest[k]) = Pu.row(static_cast<Eigen::Index>(k));
  return softening * P * solution(S, Eigen::MatrixXd::Identity(count, count));
}

TEST(Fmds, SoftInterpolationIsItsFormula) {
  for (const double softening : {0.5, 50.0, 1e5}) {
    const RivalCase one = make_rival_case("torus", make_torus(14, 8), 20);
    const RowMatrix<float> H = soft_interpolation_operator(one.base.operators, one.base.landmarks.vertices,
                                                           one.base.landmarks.cell, softening);
    EXPECT_LE((H.cast<double>() - reference_soft(one, softening)).cwiseAbs().maxCoeff(), 1e-5) << softening;
    EXPECT_LE((H.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-4);
  }
}

TEST(Fmds, WithGrowingSofteningBecomesOneSidedInterpolation) {
  for (const RivalCase& one : rival_cases()) {
    const std::vector<Index>&vertices = one.base.landmarks.vertices, &cell = one.base.landmarks.cell;
    const RowMatrix<float> P = dense_interpolation_operator(one.base.operators, vertices, cell);
    double before = infinity;
    for (const double softening : {1e2, 1e5, 1e8}) {
      const RowMatrix<float> H = soft_interpolation_operator(one.base.operators, vertices, cell, softening);
      const double distance = (H - P).cwiseAbs().maxCoeff();
      EXPECT_LT(distance, before) << one.base.name;
      before = distance;
    }
    EXPECT_LE(before, 1e-3) << one.base.name;
    for (const DistanceKind kind : both_kinds) {
      const FactoredMatrix matrix = fmds(one.columns(), P, kind);
      expect_consistent(matrix, one.base.name);
      if (one.columns().components() > 1) continue;
      const Eigen::MatrixXd C = kind == DistanceKind::squared
                                    ? Eigen::MatrixXd(one.C.cast<double>().cwiseAbs2())
                                    : one.C.cast<double>();
      const Eigen::MatrixXd one_sided = P.cast<double>() * C.transpose();
      EXPECT_LE(difference(all_entries(matrix), (one_sided + one_sided.transpose()) / 2), 1e-6);
      EXPECT_EQ(matrix.bytes(), 8 * static_cast<std::int64_t>(P.size()));
    }
  }
}

TEST(Fmds, IsExactAtPairsOfLandmarksAndFallsWithTheirNumber) {
  double before = infinity;
  for (const Index landmarks : {10, 30, 90}) {
    const RivalCase one = make_rival_case("sphere", make_sphere(5), landmarks);
    const auto& order = one.base.landmarks;
    const FactoredMatrix matrix =
        fmds(one.columns(), dense_interpolation_operator(one.base.operators, order.vertices, order.cell),
             DistanceKind::distance);
    const RowMatrix<double> block = matrix.block(order.vertices, order.vertices);
    EXPECT_LE(difference(block, one.columns().between(0, false)), 1e-5);
    const double error = error_of(matrix, truth(one, DistanceKind::distance));
    EXPECT_LT(error, before);
    before = error;
  }
}

TEST(Fmds, RefusesWhatIsNoSoftening) {
  const RivalCase one = make_rival_case("plane", make_plane(5, 4), 4);
  const auto& order = one.base.landmarks;
  for (const double wrong : {0.0, -1.0, infinity})
    EXPECT_THROW(soft_interpolation_operator(one.base.operators, order.vertices, order.cell, wrong),
                 InputError);
  EXPECT_THROW(fmds(one.columns(), RowMatrix<float>::Zero(3, 4), DistanceKind::distance), InputError);
}

TEST(RootMatrix, TakesRootsOfSquaredDistances) {
  for (const RivalCase& one : rival_cases()) {
    const auto& order = one.base.landmarks;
    const RowMatrix<float> P = dense_interpolation_operator(one.base.operators, order.vertices, order.cell);
    const auto squared = std::make_shared<FactoredMatrix>(fmds(one.columns(), P, DistanceKind::squared));
    const RootMatrix root(squared);
    EXPECT_EQ(root.kind(), DistanceKind::distance);
    EXPECT_EQ(root.bytes(), squared->bytes());
    expect_consistent(root, one.base.name);
    EXPECT_LE(difference(all_entries(root), all_entries(*squared).cwiseMax(0.0).cwiseSqrt()), 1e-12);
    EXPECT_THROW(RootMatrix(std::make_shared<FactoredMatrix>(fmds(one.columns(), P, DistanceKind::distance))),
                 InputError);
  }
}

TEST(FactoredMatrix, RefusesFactorsThatDoNotFit) {
  const RowMatrix<float> A = RowMatrix<float>::Ones(4, 2), sign = RowMatrix<float>::Ones(1, 2);
  EXPECT_NO_THROW(FactoredMatrix({A, {}, sign, {}}, DistanceKind::distance));
  EXPECT_THROW(FactoredMatrix({A, {}, sign.leftCols(1), {}}, DistanceKind::distance), InputError);
  EXPECT_THROW(FactoredMatrix({A, A.topRows(3), {}, {}}, DistanceKind::distance), InputError);
  EXPECT_THROW(FactoredMatrix({A, {}, sign, {0, 0}}, DistanceKind::distance), InputError);
  EXPECT_THROW(FactoredMatrix({A, {}, sign, {0, 0, 1, 1}}, DistanceKind::distance), InputError);
  EXPECT_THROW(FactoredMatrix({A * std::nanf(""), {}, sign, {}}, DistanceKind::distance), InputError);
}

}  // namespace
}  // namespace geodome::internal
