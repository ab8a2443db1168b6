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

/// Families of more points than are compared one by one, in more dimensions than a tree is used for.
std::vector<RowMatrix<double>> many_dimensions() {
  const RowMatrix<double> noise = random_points(2300, 33, 1), axes = random_points(3, 33, 1);
  std::vector<RowMatrix<double>> families{noise};
  // Near a surface of few dimensions, at all sizes, and far from the origin.
  families.emplace_back(random_points(2300, 3, 1) * axes + 0.01 * noise);
  families.emplace_back(1e-9 * families[1]);
  families.emplace_back((1e9 * families[1]).array() + 1e12);
  // Clusters and outliers of other sizes, and coordinates with many ties.
  families.push_back(noise);
  for (Index v = 0; v < 2300; ++v) families.back().row(v) *= v % 7 == 0 ? 1e-6 : v == 100 ? 1e6 : 1;
  families.push_back(families[1].array().round());
  return families;
}

TEST(NearestNeighbours, AreTheNearestInManyDimensionsTiesByIndex) {
  for (const RowMatrix<double>& points : many_dimensions()) {
    const Neighbours found = nearest_neighbours(points, 6, 0, {1, {}});
    EXPECT_EQ(found.vertex, nearest_neighbours(points, 6, 1, {3, {}}).vertex);
    for (Index v = 0; v < points.rows(); v += 23) {
      std::vector<std::pair<double, Index>> expected;
      for (Index other = 0; other < points.rows(); ++other)
        if (other != v) expected.emplace_back((points.row(v) - points.row(other)).norm(), other);
      std::sort(expected.begin(), expected.end());
      for (Index i = 0; i < 6; ++i) {
        EXPECT_EQ(found.vertex(v, i), expected[static_cast<std::size_t>(i)].second);
        EXPECT_EQ(found.distance(v, i), expected[static_cast<std::size_t>(i)].first);
      }
    }
  }
}

TEST(NearestNeighbours, AreNearlyAllFoundByTheGraphTheSameForOneSeed) {
  const RowMatrix<double> points = random_points(2050, 16, 1e-12);
  const Neighbours found = graph_neighbours(points, 10, 1, {1, {}});
  EXPECT_EQ(found.vertex, graph_neighbours(points, 10, 1, {2, {}}).vertex);
  int right = 0, tried = 0;
  for (Index v = 0; v < points.rows(); v += 40, ++tried)
    right += std::abs(found.distance(v, 9) - all_distances(points, v)[9]) <= 1e-12 * found.distance(v, 9);
  EXPECT_GE(right, 0.95 * tried);
}

TEST(NearestNeighbours, ReportProgressToTheEnd) {
  for (const Index dimension : {3, 40})
    for (const bool graph : {false, true}) {
      double before = 0;
      const Execution execution{1, [&](std::string_view stage, double fraction) {
                                  EXPECT_EQ(stage, "neighbours");
                                  EXPECT_GE(fraction, before);
                                  before = fraction;
                                  return true;
                                }};
      const RowMatrix<double> points = random_points(2100, dimension, 1);
      graph ? graph_neighbours(points, 3, 0, execution) : nearest_neighbours(points, 3, 0, execution);
      EXPECT_EQ(before, 1);
    }
}

TEST(NearestNeighbours, DistancesThatOverflowAreRefused) {
  for (const Index dimension : {3, 20})
    EXPECT_THROW(nearest_neighbours(random_points(2100, dimension, 1e200), 3), NumericalError);
}

/// Of equal points all pairs are close.
TEST(NearestNeighbours, CostIsEstimatedAlsoForEqualPoints) {
  const RowMatrix<double> spread = random_points(5000, 3, 1) * random_points(3, 20, 1);
  const double seconds = NeighbourCost(spread).seconds(10, 1);
  EXPECT_GT(seconds, 0);
  EXPECT_GT(NeighbourCost(RowMatrix<double>::Zero(5000, 20)).seconds(10, 1), seconds);
  EXPECT_LT(NeighbourCost(spread).seconds(10, 4), seconds);
}

TEST(NearestNeighbours, ExactDuplicatesAreNeighboursAtDistanceZero) {
  for (const Index dimension : {3, 16, 40}) {
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
