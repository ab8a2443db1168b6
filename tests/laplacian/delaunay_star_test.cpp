#include "geodome/laplacian/delaunay_star.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace geodome::internal {
namespace {

/// Triangles (origin, a, b) whose circle holds no other point, by trying every pair.
std::set<std::array<Index, 2>> empty_circles(const std::vector<StarPoint>& points) {
  std::set<std::array<Index, 2>> found;
  const Index count = static_cast<Index>(points.size());
  for (Index a = 0; a < count; ++a)
    for (Index b = 0; b < count; ++b) {
      const Eigen::Vector2d p = points[a].position, q = points[b].position;
      const double cross = p.x() * q.y() - p.y() * q.x();
      if (cross <= 0) continue;
      const Eigen::Vector2d centre(q.y() * p.squaredNorm() - p.y() * q.squaredNorm(),
                                   p.x() * q.squaredNorm() - q.x() * p.squaredNorm());
      bool empty = true;
      for (Index other = 0; other < count; ++other)
        if (other != a && other != b)
          empty &= (points[other].position - centre / (2 * cross)).norm() > (centre / (2 * cross)).norm();
      if (empty) found.insert({a, b});
    }
  return found;
}

TEST(DelaunayStar, IsTheSetOfEmptyCirclesThroughTheOrigin) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (const double scale : {1e-8, 1.0, 1e8})
    for (const double shift : {0.0, 1.0, 4.0})  // the origin inside, near the border, outside of the points
      for (int trial = 0; trial < 20; ++trial) {
        std::vector<StarPoint> points(25);
        for (StarPoint& point : points)
          point.position = scale * Eigen::Vector2d(normal(random) + shift, normal(random));
        const auto star = delaunay_star(points);
        EXPECT_EQ(std::set(star.begin(), star.end()), empty_circles(points)) << "shift " << shift;
      }
}

TEST(DelaunayStar, WeightsDecideAmongPointsOnOneCircleTheSameWayInEveryStar) {
  const std::array<Eigen::Vector2d, 4> square{Eigen::Vector2d(0, 0), {1, 0}, {1, 1}, {0, 1}};
  for (const std::array<double, 4>& weight :
       {std::array<double, 4>{0, 1e-6, 2e-6, 5e-6}, {3e-6, 1e-6, 0, 1e-6}}) {
    std::multiset<std::set<Index>> triangles;
    for (Index centre = 0; centre < 4; ++centre) {
      std::vector<StarPoint> points(4);
      for (Index i = 0; i < 4; ++i) points[i] = {square[i] - square[centre], weight[i] - weight[centre]};
      for (const auto& [a, b] : delaunay_star(points)) triangles.insert({centre, a, b});
    }
    EXPECT_EQ(triangles.size(), 6u);  // two triangles, each seen by its three corners
    for (const auto& triangle : triangles) EXPECT_EQ(triangles.count(triangle), 3u);
  }
}

TEST(DelaunayStar, IsEmptyWithoutATriangle) {
  EXPECT_TRUE(delaunay_star({}).empty());
  const std::vector<StarPoint> one{{{1, 2}, 0}}, line{{{1, 1}, 0}, {{2, 2}, 0}, {{3, 3}, 0}},
      origin{{{0, 0}, 0}, {{1, 0}, 0}};
  EXPECT_TRUE(delaunay_star(one).empty());
  EXPECT_TRUE(delaunay_star(line).empty());
  EXPECT_TRUE(delaunay_star(origin).empty());
}

}  // namespace
}  // namespace geodome::internal
