#include "geodome/laplacian/neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

RowMatrix<double> random_points(Index count, Index dimension, double scale) {
  std::mt19937 random(9);
  std::normal_distribution<double> normal;
  return RowMatrix<double>::NullaryExpr(count, dimension, [&] { return scale * normal(random); });
}

/// Distances to all others, increasing.
std::vector<double> all_distances(const RowMatrix<double>& points, Index point) {
  std::vector<double> distances;
  for (Index other = 0; other < points.rows(); ++other)
    if (other != point) distances.push_back((points.row(point) - points.row(other)).norm());
  std::sort(distances.begin(), distances.end());
  return distances;
}

TEST(NearestNeighbours, AreTheNearestInLowDimensionAndForFewPoints) {
  for (const Index dimension : {1, 3, 15, 40})
    for (const double scale : {1e-8, 1.0, 1e8}) {
      const RowMatrix<double> points = random_points(150, dimension, scale);
      const Neighbours found = nearest_neighbours(points, 7);
      for (Index v = 0; v < 150; ++v) {
        const std::vector<double> expected = all_distances(points, v);
        std::set<Index> distinct{v};
        for (Index i = 0; i < 7; ++i) {
          EXPECT_NEAR(found.distance(v, i), expected[static_cast<std::size_t>(i)], 1e-12 * expected[6]);
          EXPECT_NEAR((points.row(v) - points.row(found.vertex(v, i))).norm(), found.distance(v, i),
                      1e-12 * expected[6]);
          EXPECT_TRUE(distinct.insert(found.vertex(v, i)).second);
        }
      }
    }
}

TEST(NearestNeighbours, AreNearlyAllFoundInHighDimensionTheSameForOneSeed) {
  const RowMatrix<double> points = random_points(2050, 16, 1e-12);
  const Neighbours found = nearest_neighbours(points, 10, 1, {1, {}});
  EXPECT_EQ(found.vertex, nearest_neighbours(points, 10, 1, {2, {}}).vertex);
  int right = 0, tried = 0;
  for (Index v = 0; v < points.rows(); v += 40, ++tried)
    right += std::abs(found.distance(v, 9) - all_distances(points, v)[9]) <= 1e-12 * found.distance(v, 9);
  EXPECT_GE(right, 0.95 * tried);
}

TEST(NearestNeighbours, ExactDuplicatesAreNeighboursAtDistanceZero) {
  for (const Index dimension : {3, 16}) {
    RowMatrix<double> points = random_points(2050, dimension, 1);
    for (Index v = 0; v < 60; ++v) points.row(v) = points.row(0);
    const Neighbours found = nearest_neighbours(points, 5);
    for (Index v = 0; v < 60; ++v)
      for (Index i = 0; i < 5; ++i) {
        EXPECT_NE(found.vertex(v, i), v);
        EXPECT_EQ(found.distance(v, i), 0) << "dimension " << dimension << " point " << v;
      }
  }
}

TEST(NearestNeighbours, AreAllOthersWhereThereAreFew) {
  EXPECT_EQ(nearest_neighbours(random_points(4, 2, 1), 10).vertex.cols(), 3);
  EXPECT_EQ(nearest_neighbours(random_points(1, 2, 1), 10).vertex.cols(), 0);
  EXPECT_EQ(nearest_neighbours(RowMatrix<double>(0, 2), 10).vertex.size(), 0);
  EXPECT_THROW(nearest_neighbours(random_points(4, 2, 1), 0), InputError);
  RowMatrix<double> points = random_points(4, 2, 1);
  points(2, 1) = std::nan("");
  EXPECT_THROW(nearest_neighbours(points, 2), InputError);
}

}  // namespace
}  // namespace geodome::internal
