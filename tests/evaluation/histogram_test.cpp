#include "geodome/evaluation/histogram.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "geodome/base/types.h"

namespace geodome::internal {
namespace {

TEST(Histogram, QuantilesAreThoseOfTheSortedNumbers) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  for (const double spread : {0.01, 1.0, 8.0}) {
    Histogram histogram;
    std::vector<double> values;
    for (int k = 0; k < 5000; ++k) {
      values.push_back(std::exp(spread * normal(random)));
      histogram.add(values.back());
    }
    std::sort(values.begin(), values.end());
    EXPECT_EQ(histogram.count(), 5000);
    for (const double share : {0.001, 0.01, 0.25, 0.5, 0.9, 0.99, 1.0}) {
      const double expected = values[static_cast<std::size_t>(std::ceil(share * 5000)) - 1];
      EXPECT_NEAR(histogram.quantile(share), expected, 4e-3 * expected) << share;
    }
  }
}

TEST(Histogram, MergingIsAddingInAnyOrder) {
  Histogram all, even, odd;
  for (int k = 1; k < 400; ++k) {
    all.add(k);
    (k % 2 == 0 ? even : odd).add(k);
  }
  odd.merge(even);
  EXPECT_EQ(odd.count(), all.count());
  for (double share = 0; share <= 1; share += 0.03125) EXPECT_EQ(odd.quantile(share), all.quantile(share));
}

TEST(Histogram, KnowsNothingZeroAndInfinity) {
  Histogram histogram;
  EXPECT_EQ(histogram.quantile(0.5), 0);
  for (int k = 0; k < 10; ++k) histogram.add(0);
  EXPECT_EQ(histogram.quantile(1), 0);
  for (int k = 0; k < 10; ++k) histogram.add(infinity);
  EXPECT_EQ(histogram.quantile(0.5), 0);
  EXPECT_EQ(histogram.quantile(0.51), infinity);
}

}  // namespace
}  // namespace geodome::internal
