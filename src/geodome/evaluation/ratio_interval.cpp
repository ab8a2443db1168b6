#include "geodome/evaluation/ratio_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "geodome/base/types.h"

namespace geodome::internal {

double student_t_95(std::int64_t degrees_of_freedom) {
  constexpr std::array few{infinity, 12.706, 4.303, 3.182, 2.776};
  if (degrees_of_freedom < static_cast<std::int64_t>(few.size()))
    return few[static_cast<std::size_t>(std::max<std::int64_t>(0, degrees_of_freedom))];
  // Expansion around the normal distribution in powers of 1/ν [Abramowitz and Stegun 26.7.5].
  constexpr double z = 1.959964, z3 = z * z * z, z5 = z3 * z * z;
  const auto nu = static_cast<double>(degrees_of_freedom);
  return z + (z3 + z) / (4 * nu) + (5 * z5 + 16 * z3 + 3 * z) / (96 * nu * nu);
}

namespace {

/// Of the variance of `count` terms. Errors of rows are skewed, with a kurtosis of about 6: the variance of
/// their sample varies as that of half as many normal terms.
std::int64_t degrees_of_freedom(std::int64_t count) {
  return count <= 3 ? count - 1 : std::max<std::int64_t>(2, (count - 1) / 2);
}

}  // namespace

Interval ratio_interval(std::span<const double> numerator, std::span<const double> denominator,
                        std::int64_t population) {
  const double above = std::accumulate(numerator.begin(), numerator.end(), 0.0);
  const double below = std::accumulate(denominator.begin(), denominator.end(), 0.0);
  const auto count = static_cast<std::int64_t>(numerator.size());
  if (count <= 1 && count < population) return {0, infinity};
  if (above == 0 || below == 0) return {0, 0};
  const double ratio = above / below;
  double squares = 0;
  for (std::size_t k = 0; k < numerator.size(); ++k) {
    const double off = numerator[k] / above - denominator[k] / below;
    squares += off * off;
  }
  const auto m = static_cast<double>(count), all = static_cast<double>(population);
  const double unseen = std::max(0.0, 1 - m / all);
  if (unseen == 0) return {ratio, ratio};
  const double relative_deviation = std::sqrt(unseen * squares * m / (m - 1));
  const double factor = std::exp(student_t_95(degrees_of_freedom(count)) * relative_deviation);
  return {ratio / factor, ratio * factor};
}

}  // namespace geodome::internal
