#include "geodome/report/colour_map.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace geodome::internal {
namespace {

double cube(double x) {
  return x * x * x;
}

/// From linear light to the 8 bits of sRGB (IEC 61966-2-1).
std::uint8_t encode(double light) {
  const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
  return static_cast<std::uint8_t>(std::lround(255 * std::clamp(value, 0.0, 1.0)));
}

std::array<std::uint8_t, 3> from_oklab(double lightness, double a, double b) {
  const double l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b);
  const double m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b);
  const double s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b);
  return {encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          encode(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

}  // namespace

std::array<std::uint8_t, 3> uniform_colour(double value) {
  // The longest helix of this shape that stays inside sRGB: more chroma leaves it in the blue-greens.
  constexpr double chroma = 0.1, darkest = 0.3, lightest = 0.93, first_hue = 300, last_hue = 105;
  const double t = std::clamp(value, 0.0, 1.0);
  const double hue = (first_hue + t * (last_hue - first_hue)) * std::numbers::pi / 180;
  return from_oklab(darkest + t * (lightest - darkest), chroma * std::cos(hue), chroma * std::sin(hue));
}

}  // namespace geodome::internal
