#include "geodome/base/sparse_cholesky.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>
#include <string>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Laplacian of a grid plus a multiple of the identity: positive definite, with a deep elimination tree.
SparseMatrix grid_matrix(Index side) {
  std::vector<Eigen::Triplet<double>> entries;
  const auto couple = [&](Index a, Index b) {
    entries.emplace_back(a, b, -1);
    entries.emplace_back(b, a, -1);
    entries.emplace_back(a, a, 1);
    entries.emplace_back(b, b, 1);
  };
  for (Index r = 0; r < side; ++r)
    for (Index c = 0; c < side; ++c) {
      entries.emplace_back(r * side + c, r * side + c, 0.01);
      if (c + 1 < side) couple(r * side + c, r * side + c + 1);
      if (r + 1 < side) couple(r * side + c, (r + 1) * side + c);
    }
  SparseMatrix matrix(side * side, side * side);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SparseCholesky factor_of(const SparseMatrix& matrix, int backend) {
  if (backend == 0) return SparseCholesky(factor_supernodal_by_eigen(matrix));
  return SparseCholesky(matrix, backend == 1 ? FactorOrdering::best : FactorOrdering::quick);
}

class SparseCholeskyTest : public ::testing::TestWithParam<int> {};

TEST_P(SparseCholeskyTest, SolvesLikeADenseSolver) {
  for (const Index side : {1, 2, 7, 20}) {
    const SparseMatrix matrix = grid_matrix(side);
    const SparseCholesky factor = factor_of(matrix, GetParam());
    ASSERT_EQ(factor.size(), side * side);
    std::vector<Index> all(factor.size());
    for (Index i = 0; i < factor.size(); ++i) all[i] = factor.size() - 1 - i;  // any order will do
    RowMatrix<double> block = RowMatrix<double>::Random(factor.size(), 5);
    Eigen::MatrixXd right(factor.size(), 5);
    for (Index i = 0; i < factor.size(); ++i) right.row(all[i]) = block.row(i);
    const Eigen::MatrixXd expected = Eigen::MatrixXd(matrix).llt().solve(right);
    factor.solve_rows(all, block);
    for (Index i = 0; i < factor.size(); ++i)
      EXPECT_LT((block.row(i) - expected.row(all[i])).norm(), 1e-10 * expected.norm()) << side;
    EXPECT_LT((factor.solve(RowMatrix<double>(right)) - expected).norm(), 1e-10 * expected.norm());
    EXPECT_LT((factor.solve(Vector(right.col(0))) - expected.col(0)).norm(), 1e-10 * expected.norm());
  }
}

TEST_P(SparseCholeskyTest, AFewRowsAreThoseOfTheWholeSolution) {
  const SparseMatrix matrix = grid_matrix(25);
  const SparseCholesky factor = factor_of(matrix, GetParam());
  std::mt19937 random(3);
  for (int trial = 0; trial < 10; ++trial) {
    std::vector<Index> rows;
    for (Index row = 0; row < factor.size(); ++row)
      if (random() % 40 == 0) rows.push_back(row);
    RowMatrix<double> block = RowMatrix<double>::Random(static_cast<Eigen::Index>(rows.size()), 3);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(factor.size(), 3);
    for (std::size_t i = 0; i < rows.size(); ++i)
      right.row(rows[i]) = block.row(static_cast<Eigen::Index>(i));
    const Eigen::MatrixXd expected = Eigen::MatrixXd(matrix).llt().solve(right);
    factor.solve_rows(rows, block);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_LT((block.row(static_cast<Eigen::Index>(i)) - expected.row(rows[i])).norm(),
                1e-10 * expected.norm());
  }
}

TEST_P(SparseCholeskyTest, AnyNumberOfRightHandSidesOneAfterTheOther) {
  const SparseMatrix matrix = grid_matrix(23);
  const SparseCholesky factor = factor_of(matrix, GetParam());
  const Eigen::LLT<Eigen::MatrixXd> dense{Eigen::MatrixXd(matrix)};
  PartialSolve solve(factor);  // for all of them: nothing may be left over from the last
  std::mt19937 random(4);
  for (const int k : {32, 1, 7, 8, 9, 24, 40, 67, 2}) {
    std::vector<Index> rows;
    for (Index row = 0; row < factor.size(); ++row)
      if (random() % 7 == 0) rows.push_back(row);
    solve.begin(rows, k);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(factor.size(), k);
    for (std::size_t i = 0; i < rows.size(); i += 3)
      for (int c = 0; c < k; ++c)
        right(rows[i], c) = solve.right_hand_side(rows[i])[c] =
            static_cast<double>(random() % 1000) / 500 - 1;
    solve.solve();
    const Eigen::MatrixXd expected = dense.solve(right);
    for (const Index row : rows)
      for (int c = 0; c < k; ++c)
        EXPECT_NEAR(solve.solution(row)[c], expected(row, c), 1e-11 * expected.norm()) << k;
  }
}

TEST_P(SparseCholeskyTest, RefusesAMatrixThatIsNotPositiveDefinite) {
  SparseMatrix matrix = grid_matrix(5);
  matrix.coeffRef(12, 12) = -3;
  EXPECT_THROW(factor_of(matrix, GetParam()), NumericalError);
}

TEST_P(SparseCholeskyTest, NamesTheColumnThatIsNotPositive) {
  // Vertex 7 hangs on nothing, so whatever the order its pivot is the bad one.
  SparseMatrix matrix = grid_matrix(5);
  matrix.prune([](Index row, Index column, double) { return row == column || (row != 7 && column != 7); });
  for (const double bad : {0.0, -1.0}) {
    matrix.coeffRef(7, 7) = bad;
    try {
      factor_of(matrix, GetParam());
      FAIL() << "accepted a pivot of " << bad;
    } catch (const NumericalError& error) {
      EXPECT_TRUE(std::string(error.what()).ends_with("column 7")) << error.what();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, SparseCholeskyTest, ::testing::Values(0, 1, 2), [](const auto& backend) {
  return std::string(backend.param == 0 ? "Eigen" : backend.param == 1 ? "BestOrdering" : "QuickOrdering");
});

}  // namespace
}  // namespace geodome::internal
