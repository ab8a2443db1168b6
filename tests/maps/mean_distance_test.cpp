/// Mean distances equal the means of the rows.
#include "geodome/maps/mean_distance.h"

#include <gtest/gtest.h>

#include <cmath>

#include "maps/map_cases.h"

namespace geodome::testing {
namespace {

void expect_means(const DistanceMatrix& matrix, const std::vector<double>& weights, const Vector& mean,
                  double tolerance) {
  std::vector<Index> all;
  for (Index v = 0; v < matrix.size(); ++v) all.push_back(v);
  const RowMatrix<double> dense = matrix.rows(all);
  for (Index i = 0; i < matrix.size(); ++i) {
    double sum = 0, total = 0;
    for (Index j = 0; j < matrix.size(); ++j) {
      if (!(dense(i, j) < infinity)) continue;
      const double weight = weights.empty() ? 1 : weights[static_cast<std::size_t>(j)];
      sum += weight * dense(i, j);
      total += weight;
    }
    ASSERT_NEAR(mean[i], sum / total, tolerance * sum / total) << i;
  }
}

TEST(MeanDistance, IsTheMeanOfTheRowForEveryMethod) {
  const auto shape = std::make_shared<const Shape>(make_sphere(8));
  std::vector<double> weights;
  for (Index v = 0; v < vertex_count(*shape); ++v) weights.push_back(v % 5);
  for (const Method method : {Method::cell, Method::sbha, Method::bha, Method::nystrom}) {
    BuildOptions options;
    options.method = method;
    options.landmarks = 60;
    options.certificate_rows = options.check_rows = 0;
    const Distances m = build(shape, {}, options);
    expect_means(m.matrix(), {}, mean_distance(m.matrix()), 1e-6);
    expect_means(m.matrix(), weights, mean_distance(m.matrix(), weights), 1e-6);
  }
}

TEST(MeanDistance, IsWithinEachComponent) {
  const auto shape = std::make_shared<const Shape>(side_by_side(make_sphere(6), make_plane(9, 9)));
  const auto full = all_distances_of(*shape);
  expect_means(full, {}, mean_distance(full), 1e-12);
  BuildOptions options;
  options.landmarks = 80;
  const Distances m = build(shape, {}, options);
  const Vector mean = mean_distance(m.matrix());
  expect_means(m.matrix(), {}, mean, 1e-6);
  EXPECT_LT((mean - mean_distance(full)).cwiseQuotient(mean).cwiseAbs().maxCoeff(), 0.02);
}

TEST(MeanDistance, IsNothingForVerticesLeftOut) {
  BuildOptions options;
  options.landmarks = 30;
  options.geodesic.keep.assign(15 * 15, 1);
  for (Index v = 0; v < 15; ++v) options.geodesic.keep[v] = 0;
  const Distances m = build(std::make_shared<const Shape>(make_plane(15, 15)), {}, options);
  const Vector mean = mean_distance(m.matrix());
  for (Index v = 0; v < mean.size(); ++v) EXPECT_EQ(std::isnan(mean[v]), v < 15);
}

TEST(MeanDistance, RefusesWeightsThatAreNone) {
  const auto full = all_distances_of(make_plane(3, 3));
  EXPECT_THROW(mean_distance(full, std::vector<double>(8, 1.0)), InputError);
  std::vector<double> weights(9, 1.0);
  for (const double wrong : {-1.0, infinity, std::nan("")}) {
    weights[4] = wrong;
    EXPECT_THROW(mean_distance(full, weights), InputError);
  }
  const internal::FullMatrix squared(full.values().array().square().matrix(), DistanceKind::squared);
  EXPECT_THROW(mean_distance(squared), InputError);
}

}  // namespace
}  // namespace geodome::testing
