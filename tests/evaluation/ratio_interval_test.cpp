#include "geodome/evaluation/ratio_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {
namespace {

TEST(RatioInterval, IsThatOfTheTextbook) {
  const std::vector<double> above{1, 2, 4}, below{10, 10, 20};
  // Ratio 7/40; residuals -0.75, 0.25, 0.5; their variance 0.4375; the mean of `below` 40/3.
  const double ratio = 7.0 / 40, deviation = std::sqrt((1 - 3.0 / 12) / 3 * 0.4375) / (40.0 / 3);
  const Interval interval = ratio_interval(above, below, 12);
  EXPECT_NEAR(std::log(interval.high / ratio), 4.303 * deviation / ratio, 1e-12);
  EXPECT_NEAR(interval.low * interval.high, ratio * ratio, 1e-12);
}

TEST(RatioInterval, HasLimits) {
  const std::vector<double> two{1, 3}, ones{1, 1}, zeros{0, 0};
  EXPECT_EQ(ratio_interval(two, ones, 2).low, 2);
  EXPECT_EQ(ratio_interval(two, ones, 2).high, 2);
  EXPECT_EQ(ratio_interval(zeros, ones, 9).high, 0);
  EXPECT_EQ(ratio_interval(std::vector{1.0}, std::vector{1.0}, 9).high, infinity);
  EXPECT_EQ(ratio_interval(std::vector{1.0}, std::vector{1.0}, 1).high, 1);
  EXPECT_EQ(ratio_interval({}, {}, 0).high, 0);
}

TEST(StudentT, IsThatOfTheTables) {
  const std::vector<std::pair<std::int64_t, double>> table{
      {1, 12.706}, {2, 4.303}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {100, 1.984}, {1000000, 1.960}};
  for (const auto& [degrees, value] : table)
    EXPECT_NEAR(student_t_95(degrees), value, 0.01 * value) << degrees;
  EXPECT_EQ(student_t_95(0), infinity);
  for (std::int64_t degrees = 1; degrees < 50; ++degrees)
    EXPECT_GT(student_t_95(degrees), student_t_95(degrees + 1));
}

}  // namespace
}  // namespace geodome::internal
