#include "geodome/embedding/gram.h"

#include <gtest/gtest.h>

#include "embedding/scaling_cases.h"

namespace geodome::internal {
namespace {

TEST(GramOperator, EqualsTheExplicitMatrixOnEveryPart) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix form = one.compact(Precision::float64, DistanceKind::squared);
    const FullMatrix full = full_matrix(*one.solver, DistanceKind::squared, std::int64_t{1} << 30);
    for (const DistanceMatrix* matrix :
         {static_cast<const DistanceMatrix*>(&form), static_cast<const DistanceMatrix*>(&full)}) {
      const FiniteParts parts = finite_parts(*matrix);
      EXPECT_EQ(parts.of_vertex, one.landmarks.component) << one.name;
      const Execution execution;
      for (std::size_t part = 0; part < parts.vertices.size(); ++part) {
        const GramOperator B(*matrix, parts, static_cast<Index>(part), execution);
        const auto n = static_cast<Index>(parts.vertices[part].size());
        ASSERT_EQ(B.size(), n);
        const RowMatrix<double> rows = matrix->rows(parts.vertices[part]);
        Eigen::MatrixXd E(n, n);
        for (Index j = 0; j < n; ++j) E.col(j) = rows.col(parts.vertices[part][j]);
        const Eigen::MatrixXd J = Eigen::MatrixXd::Identity(n, n) - Eigen::MatrixXd::Constant(n, n, 1.0 / n);
        const Eigen::MatrixXd expected = J * E * J / -2;
        EXPECT_LE((B.dense() - expected).norm(), 1e-9 * expected.norm()) << one.name;
        const RowMatrix<double> X = random_points(n, 5, 3);
        EXPECT_LE((B.apply(X) - expected * X).norm(), 1e-9 * (expected * X).norm()) << one.name;
      }
    }
  }
}

}  // namespace
}  // namespace geodome::internal
