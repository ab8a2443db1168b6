#include "geodome/matrix/dense_landmark_matrix.h"

#include <gtest/gtest.h>

#include <numeric>

#include "geodome/base/error.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(DenseLandmarkMatrix, EveryQueryEqualsTheExplicitProduct) {
  for (const MatrixCase& one : matrix_cases())
    for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
      const DenseLandmarkMatrix matrix = one.dense(kind);
      const Eigen::MatrixXd P =
          dense_interpolation_operator(one.operators, one.landmarks.vertices, one.landmarks.cell)
              .cast<double>();
      const Eigen::MatrixXd expected = reference_matrix(one, P, kind);
      const auto all = everything(one.size());
      EXPECT_LT(difference(matrix.rows(all), expected), 1e-6) << one.name;
      const Pairs pairs = random_pairs(one.size(), 100);
      EXPECT_LT(difference(matrix.block(pairs.I, pairs.J), expected(pairs.I, pairs.J)), 1e-6) << one.name;
      EXPECT_LT(difference(matrix.entries(pairs.I, pairs.J), expected(pairs.I, pairs.J).diagonal()), 1e-6);
      const RowMatrix<double> X = RowMatrix<double>::Random(one.size(), 3);
      if (matrix.components() == 1)
        EXPECT_LT(difference(matrix.apply(X), expected * X), 1e-5) << one.name;
      else
        EXPECT_THROW(matrix.apply(X), InputError);
      EXPECT_EQ(matrix.bytes(), 4 * P.size() + static_cast<std::int64_t>(
                                                   matrix.landmark_arrays().landmark.size_bytes() +
                                                   matrix.landmark_arrays().component_first.size_bytes() +
                                                   matrix.landmark_arrays().component.size_bytes() +
                                                   matrix.landmark_arrays().spacing.size_bytes() +
                                                   std::get<0>(matrix.landmark_arrays().W).size_bytes()));
    }
}

TEST(DenseLandmarkMatrix, EqualsTheCompactOneWithEverythingKept) {
  const MatrixCase one = make_case("sphere", make_sphere(7), 30, 30);
  const auto all = everything(one.size());
  EXPECT_LT(difference(one.dense().rows(all), one.compact().rows(all)), 1e-5);
}

}  // namespace
}  // namespace geodome::internal
