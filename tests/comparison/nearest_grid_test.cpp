#include "geodome/comparison/nearest_grid.h"

#include <gtest/gtest.h>

#include <random>

namespace geodome::internal {
namespace {

RowMatrix<double> uniform_points(Index count, Index dimension, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform;
  return RowMatrix<double>::NullaryExpr(count, dimension,
                                        [&](Eigen::Index, Eigen::Index) { return uniform(random); });
}

/// How much farther than the nearest point those of look-ups are, over many places in the box.
template <std::size_t dimension>
void expect_near_points(const RowMatrix<double>& points) {
  const PointTree tree{RowMatrix<double>(points)};
  const NearestGrid grid(tree);
  const Eigen::RowVectorXd low = points.colwise().minCoeff(), high = points.colwise().maxCoeff();
  const RowMatrix<double> asked =
      (uniform_points(2000, dimension, 8).array().rowwise() * (high - low).array()).rowwise() + low.array();
  int beyond = 0;
  double excess = 0, excess_around = 0;
  for (Eigen::Index k = 0; k < asked.rows(); ++k) {
    const double least = tree.nearest(&asked(k, 0)).distance;
    const NearPoint near = grid.near<dimension>(&asked(k, 0));
    const NearPoint around = grid.near_around<dimension>(&asked(k, 0));
    for (const NearPoint& found : {near, around}) {
      EXPECT_NEAR(std::sqrt(found.squared), (points.row(found.point) - asked.row(k)).norm(),
                  1e-12 * (high - low).norm());
      EXPECT_LE(std::sqrt(found.squared), least + 2 * grid.diagonal());
      beyond += std::sqrt(found.squared) > least + grid.diagonal();
    }
    excess += std::sqrt(near.squared) - least;
    excess_around += std::sqrt(around.squared) - least;
  }
  EXPECT_LE(beyond, 4);
  EXPECT_LE(excess, 0.5 * grid.diagonal() * static_cast<double>(asked.rows()));
  EXPECT_LE(excess_around, 0.75 * excess + 1e-12 * (high - low).norm());
}

template <std::size_t dimension>
void expect_near_points_of_families() {
  RowMatrix<double> cloud = uniform_points(1500, dimension, 3);
  for (const double scale : {1e-8, 1.0, 1e8}) expect_near_points<dimension>(scale * cloud);
  cloud.col(0) *= 20;
  expect_near_points<dimension>(cloud);  // long
  cloud.col(dimension - 1) *= 1e-9;
  expect_near_points<dimension>(cloud);  // flat
  expect_near_points<dimension>(cloud.topRows(3));
}

TEST(NearestGrid, FindsPointsNearToThePlace) {
  expect_near_points_of_families<1>();
  expect_near_points_of_families<2>();
  expect_near_points_of_families<3>();
  expect_near_points_of_families<4>();
}

TEST(NearestGrid, OfOnePointFindsIt) {
  const PointTree tree(RowMatrix<double>::Ones(1, 3));
  const NearestGrid grid(tree);
  for (const double x : {-1e9, 0.0, 1.0, 1e9}) {
    const double place[] = {x, 1, 1};
    EXPECT_EQ(grid.near<3>(place).point, 0);
    EXPECT_EQ(grid.near_around<3>(place).point, 0);
    EXPECT_EQ(grid.near<3>(place).squared, (x - 1) * (x - 1));
  }
}

TEST(NearestGrid, FindsTheSideOfTheBoxFromOutside) {
  RowMatrix<double> points(3, 2);
  points << 0, 0, 4, 0, 9, 1;
  const PointTree tree{RowMatrix<double>(points)};
  const NearestGrid grid(tree);
  const double left[] = {-100, 0}, right[] = {100, 1};
  EXPECT_EQ(grid.near<2>(left).point, 0);
  EXPECT_EQ(grid.near_around<2>(right).point, 2);
}

}  // namespace
}  // namespace geodome::internal
