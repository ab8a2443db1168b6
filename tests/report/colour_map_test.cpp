#include "geodome/report/colour_map.h"

#include <gtest/gtest.h>

#include <cmath>

namespace geodome::internal {
namespace {

using Colour = std::array<std::uint8_t, 3>;

double linear(std::uint8_t channel) {
  const double value = channel / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

/// CIE L*a*b* (D65): an older and independent model of what equal steps look like.
std::array<double, 3> cielab(const Colour& colour) {
  const double r = linear(colour[0]), g = linear(colour[1]), b = linear(colour[2]);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047);
  const double y = f(0.2126729 * r + 0.7151522 * g + 0.0721750 * b);
  const double z = f((0.0193339 * r + 0.1191920 * g + 0.9503041 * b) / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST(ColourMap, GetsLighterInEqualSteps) {
  constexpr int steps = 16;
  double shortest = 1e9, longest = 0;
  for (int k = 0; k < steps; ++k) {
    const auto here = cielab(uniform_colour(k / static_cast<double>(steps)));
    const auto there = cielab(uniform_colour((k + 1) / static_cast<double>(steps)));
    EXPECT_GT(there[0], here[0] + 2) << k;
    const double step = std::hypot(there[0] - here[0], there[1] - here[1], there[2] - here[2]);
    shortest = std::min(shortest, step);
    longest = std::max(longest, step);
  }
  // The two models differ from each other by about this much.
  EXPECT_LT(longest, 2 * shortest);
}

TEST(ColourMap, ClampsAndTakesInfinity) {
  EXPECT_EQ(uniform_colour(-3), uniform_colour(0));
  EXPECT_EQ(uniform_colour(7), uniform_colour(1));
  EXPECT_EQ(uniform_colour(std::numeric_limits<double>::infinity()), uniform_colour(1));
  EXPECT_NE(uniform_colour(0.5), uniform_colour(0.6));
}

}  // namespace
}  // namespace geodome::internal
