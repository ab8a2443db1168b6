#include "geodome/baselines/hybrid.h"

#include <algorithm>
#include <array>

#include "baselines/baseline_cases.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// P W Pᵀ + P_Q D_Qᵀ + D_Q P_Qᵀ of one component, with D as it is.
Eigen::MatrixXd reference(const RivalCase& one, const std::vector<Index>& kept, DistanceKind kind) {
  const bool squared = kind == DistanceKind::squared;
  const Eigen::MatrixXd P = dense_rows(one.base.P), W = one.columns().between(0, squared);
  Eigen::MatrixXd C = one.C.cast<double>();
  if (squared) C = C.cwiseAbs2().eval();
  const Eigen::MatrixXd D = C - P * W;
  const std::vector<Index> all = everything(one.size());
  const Eigen::MatrixXd once = pick(P, all, kept) * pick(D, all, kept).transpose();
  return P * W * P.transpose() + once + once.transpose();
}

TEST(HybridMatrix, IsItsFormulaUpToTheStepsOfItsColumns) {
  for (const RivalCase& one : rival_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared})
      for (const Index count : {0, 7, 1000}) {
        const SparseLandmarkMatrix base = one.base.compact(Precision::float32, kind);
        const HybridMatrix matrix = make_hybrid_matrix(base, one.columns(), count);
        expect_consistent(matrix, one.base.name);
        EXPECT_EQ(matrix.kind(), kind);
        const auto kept = static_cast<std::int64_t>(matrix.columns().landmark.size());
        const auto landmarks = static_cast<std::int64_t>(base.landmarks().size());
        EXPECT_EQ(kept, std::min<std::int64_t>(count, landmarks));
        EXPECT_EQ(matrix.bytes(), base.bytes() + kept * (one.size() + 8) + 4 * landmarks);
        if (count == 0) {
          EXPECT_LE(difference(all_entries(matrix), all_entries(base)), 1e-15) << one.base.name;
        }
        if (one.columns().components() > 1) continue;
        EXPECT_LE(difference(all_entries(matrix), reference(one, matrix.columns().landmark, kind)), 5e-3)
            << one.base.name;
      }
}

TEST(HybridMatrix, EveryColumnHelpsAndAllMeetTheMeasuredDistances) {
  const RivalCase one = make_rival_case("sphere", make_sphere(6), 40);
  const Eigen::MatrixXd K = truth(one, DistanceKind::distance);
  double before = infinity;
  for (const Index count : {0, 10, 20, 40}) {
    const HybridMatrix matrix = make_hybrid_matrix(one.base.compact(), one.columns(), count);
    const double error = error_of(matrix, K);
    EXPECT_LT(error, before) << count;
    before = error;
    if (count < 40) continue;
    const RowMatrix<double> rows = matrix.rows(one.base.landmarks.vertices);
    EXPECT_LE(difference(rows, one.C.transpose().cast<double>()), 2e-3);
  }
}

TEST(HybridMatrix, RefusesColumnsThatDoNotFit) {
  const RivalCase one = make_rival_case("plane", make_plane(6, 5), 6);
  const SparseLandmarkMatrix base = one.base.compact();
  EXPECT_THROW(make_hybrid_matrix(base, one.columns(), -1), InputError);
  const RowMatrix<std::int8_t> residue = RowMatrix<std::int8_t>::Zero(one.size(), 2);
  EXPECT_NO_THROW(HybridMatrix(base, {{1, 4}, {1, 1}, residue}));
  EXPECT_THROW(HybridMatrix(base, {{4, 1}, {1, 1}, residue}), InputError);
  EXPECT_THROW(HybridMatrix(base, {{1, 6}, {1, 1}, residue}), InputError);
  EXPECT_THROW(HybridMatrix(base, {{1, 4}, {1}, residue}), InputError);
  EXPECT_THROW(HybridMatrix(base, {{1, 4}, {1, 1}, residue.topRows(3)}), InputError);
}

}  // namespace
}  // namespace geodome::internal
