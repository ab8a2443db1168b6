#include "geodome/embedding/rank_gram.h"

#include <gtest/gtest.h>

#include "embedding/scaling_cases.h"
#include "team_of_threads.h"

namespace geodome::internal {
namespace {

TEST(RankGram, IsTheOperatorOfOneProcess) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix form = one.compact(Precision::float32, DistanceKind::squared);
    const FiniteParts parts = finite_parts(form);
    const Execution execution{1, {}};
    for (std::size_t part = 0; part < parts.vertices.size(); ++part) {
      const GramOperator B(form, parts, static_cast<Index>(part), execution);
      const RowMatrix<double> x = random_points(B.size(), 1, 3);
      const Eigen::MatrixXd expected = B.apply(x);
      for (const int ranks : {1, 3})
        as_ranks(ranks, [&](const Team& team) {
          const RankGram mine(B, team, execution);
          Eigen::MatrixXd y(static_cast<Eigen::Index>(mine.end() - mine.begin()), 1);
          mine.multiply(x.data() + mine.begin(), y.data());
          EXPECT_LE((mine.gathered(y) - expected).norm(), 1e-12 * expected.norm()) << one.name;
        });
    }
  }
}

}  // namespace
}  // namespace geodome::internal
