#include "geodome/comparison/point_tree.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

RowMatrix<double> random_points(Index count, Index dimension, unsigned seed = 3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  return RowMatrix<double>::NullaryExpr(count, dimension,
                                        [&](Eigen::Index, Eigen::Index) { return uniform(random); });
}

TEST(PointTree, FindsWhatLookingAtEveryPointFinds) {
  for (const Index dimension : {1, 2, 3, 4}) {
    const PointTree tree(random_points(200, dimension));
    const RowMatrix<double> asked = 1.5 * random_points(100, dimension, 4);
    for (Index k = 0; k < 100; ++k) {
      const double least = (tree.points().rowwise() - asked.row(k)).rowwise().norm().minCoeff();
      for (const Index near : {PointTree::none, Index{0}, Index{150}}) {
        const NearestPoint exact = tree.nearest(&asked(k, 0), near);
        EXPECT_NEAR(exact.distance, least, 1e-12);
        EXPECT_NEAR((tree.points().row(exact.point) - asked.row(k)).norm(), least, 1e-12);
      }
    }
  }
}

TEST(PointTree, RefusesWhatCannotBeSearched) {
  EXPECT_THROW(PointTree(RowMatrix<double>(0, 3)), InputError);
  EXPECT_THROW(PointTree(RowMatrix<double>::Constant(2, 3, infinity)), InputError);
}

TEST(FarthestPoints, AreDistinctNestedAndCover) {
  const RowMatrix<double> points = random_points(300, 3);
  const std::vector<Index> many = farthest_points(points, 40), few = farthest_points(points, 10);
  EXPECT_EQ(std::set<Index>(many.begin(), many.end()).size(), 40u);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  double before = infinity;
  for (std::size_t k = 1; k < many.size(); ++k) {
    double nearest = infinity;
    for (std::size_t other = 0; other < k; ++other)
      nearest = std::min(nearest, (points.row(many[k]) - points.row(many[other])).norm());
    EXPECT_LE(nearest, before * (1 + 1e-12));
    before = nearest;
  }
  EXPECT_EQ(farthest_points(RowMatrix<double>::Ones(5, 2), 3).size(), 1u);
  EXPECT_EQ(farthest_points(points, 1000).size(), 300u);
}

/// The definition: every step looks at every point.
std::vector<Index> farthest_points_slowly(const RowMatrix<double>& points, std::size_t count) {
  const Eigen::RowVectorXd mean = points.colwise().mean();
  Vector distance = (points.rowwise() - mean).rowwise().squaredNorm();
  std::vector<Index> chosen;
  while (chosen.size() < count) {
    Eigen::Index next = 0;
    if (!(distance.maxCoeff(&next) > 0)) break;
    if (chosen.empty()) distance.setConstant(infinity);
    chosen.push_back(static_cast<Index>(next));
    for (Eigen::Index v = 0; v < points.rows(); ++v)
      distance[v] = std::min(distance[v], (points.row(v) - points.row(next)).squaredNorm());
  }
  return chosen;
}

TEST(FarthestPoints, AreThoseOfTheDefinition) {
  for (const Index dimension : {1, 2, 3, 4}) {
    RowMatrix<double> curved = random_points(400, dimension);
    curved.col(dimension - 1) = curved.col(0).cwiseAbs2();
    RowMatrix<double> repeated(60, dimension);  // every point three times
    for (Eigen::Index v = 0; v < 60; ++v) repeated.row(v) = curved.row(v % 20);
    for (const RowMatrix<double>& points : {curved, repeated})
      for (const std::size_t count : {1u, 7u, 150u})
        EXPECT_EQ(farthest_points(points, static_cast<Index>(count)), farthest_points_slowly(points, count));
  }
}

}  // namespace
}  // namespace geodome::internal
