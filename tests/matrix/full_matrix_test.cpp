#include "geodome/matrix/full_matrix.h"

#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "geodome/base/error.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

constexpr std::int64_t enough = std::int64_t{1} << 30;

TEST(FullMatrix, HoldsTheSolversDistancesBothWaysAveraged) {
  for (const MatrixCase& one : matrix_cases()) {
    const FullMatrix plain = full_matrix(*one.solver, DistanceKind::distance, enough);
    const FullMatrix squared = full_matrix(*one.solver, DistanceKind::squared, enough);
    std::vector<Index> all(static_cast<std::size_t>(one.size()));
    std::iota(all.begin(), all.end(), 0);
    const Eigen::MatrixXd K = one.solver->between(all, all);
    const Eigen::MatrixXd expected = (K + K.transpose()) / 2;
    EXPECT_LE(difference(plain.values(), expected), 1e-15) << one.name;
    EXPECT_LE(difference(squared.values(), expected.cwiseProduct(expected)), 1e-15) << one.name;
    EXPECT_EQ(plain.bytes(), 8 * one.size() * one.size());
    EXPECT_EQ(squared.kind(), DistanceKind::squared);
    const Pairs pairs = random_pairs(one.size(), 50);
    const Vector entries = plain.entries(pairs.I, pairs.J);
    const RowMatrix<double> block = plain.block(pairs.I, pairs.J), rows = plain.rows(pairs.I);
    for (Index k = 0; k < 50; ++k) {
      EXPECT_EQ(entries[k], plain.values()(pairs.I[k], pairs.J[k]));
      EXPECT_EQ(block(k, k), entries[k]);
      EXPECT_EQ(rows(k, pairs.J[k]), entries[k]);
    }
  }
}

TEST(FullMatrix, MultipliesAsItsEntriesSay) {
  const MatrixCase one = make_case("plane", make_plane(17, 11), 9);
  const FullMatrix matrix = full_matrix(*one.solver, DistanceKind::distance, enough);
  RowMatrix<double> X(one.size(), 3);
  for (Index v = 0; v < one.size(); ++v) X.row(v) << v % 7, 1, -v;
  const RowMatrix<double> expected = matrix.values() * X;
  for (const int threads : {1, 3})
    EXPECT_LE((matrix.apply(X, Execution{threads}) - expected).norm(), 1e-13 * expected.norm());
  EXPECT_TRUE(matrix.quadratic_product());
  EXPECT_FALSE(one.compact().quadratic_product());
}

TEST(FullMatrix, RefusesWhatIsNoMatrixOfDistances) {
  RowMatrix<double> values(2, 2);
  values << 0, 1, 1, 0;
  EXPECT_NO_THROW(FullMatrix(values, DistanceKind::distance));
  EXPECT_THROW(FullMatrix(values.topRows(1), DistanceKind::distance), InputError);
  for (const double wrong : {2.0, -1.0, std::nan("")}) {
    RowMatrix<double> broken = values;
    broken(0, 1) = wrong;
    EXPECT_THROW(FullMatrix(broken, DistanceKind::distance), InputError);
    broken(1, 0) = wrong;
    if (!(wrong > 0)) {
      EXPECT_THROW(FullMatrix(broken, DistanceKind::distance), InputError);
    }
  }
  const MatrixCase apart_case = make_case("two", apart(make_sphere(2), make_plane(4, 4)), 6);
  const FullMatrix infinite = full_matrix(*apart_case.solver, DistanceKind::distance, enough);
  EXPECT_THROW(infinite.apply(RowMatrix<double>::Zero(apart_case.size(), 1)), InputError);
  EXPECT_THROW(infinite.apply(RowMatrix<double>::Zero(3, 1)), InputError);
  EXPECT_THROW(full_matrix(*apart_case.solver, DistanceKind::distance, 100), InputError);
}

}  // namespace
}  // namespace geodome::internal
