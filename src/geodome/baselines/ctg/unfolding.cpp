#include "geodome/baselines/ctg/unfolding.h"

#include <algorithm>
#include <cmath>

namespace geodome::internal {
namespace {

/// Below this roundness a triangle is a line to rounding of single precision.
constexpr double flat = 1e-4;

}  // namespace

PlaneTriangle::PlaneTriangle(const std::array<double, 3>& sides) : length_(sides) {
  const double longest = std::max({sides[0], sides[1], sides[2]});
  roundness_ = longest > 0 ? 1 : 0;
  for (int k = 0; k < 3; ++k) {
    const double base = sides[k], left = sides[(k + 2) % 3], right = sides[(k + 1) % 3];
    if (!(base > 0)) {
      apex_x_[k] = apex_y_[k] = roundness_ = 0;
      continue;
    }
    apex_x_[k] = (base * base + (left - right) * (left + right)) / (2 * base);
    apex_y_[k] = std::sqrt(std::max(0.0, (left - apex_x_[k]) * (left + apex_x_[k])));
    if (base == longest) roundness_ = std::min(roundness_, apex_y_[k] / longest);
  }
}

/// The first end of side k is corner k + 1, at the origin; the second, corner k + 2, is on the x axis.
PlaneTriangle::Place PlaneTriangle::place(int side, const CornerDistances& point) const {
  const double base = length_[side], first = point[(side + 1) % 3], second = point[(side + 2) % 3];
  const double x = (base * base + (first - second) * (first + second)) / (2 * base);
  const double height = std::sqrt(std::max(0.0, (first - x) * (first + x)));
  // What the third distance says: exact too where all is flat, and well-conditioned where the height is not.
  const double ax = apex_x_[side], ay = apex_y_[side], third = point[side];
  const double level = ((first - third) * (first + third) + ax * ax + ay * ay - 2 * x * ax) / (2 * ay);
  if (height >= ay) return {x, level < 0 ? -height : height};
  return {x, std::clamp(level, -ay, ay)};
}

std::array<double, 3> PlaneTriangle::weights(const CornerDistances& point) const {
  std::array<double, 3> result;
  for (int k = 0; k < 3; ++k) {
    const double base = length_[k], first = point[(k + 1) % 3], second = point[(k + 2) % 3];
    const double x = (base * base + (first - second) * (first + second)) / (2 * base);
    const double ax = apex_x_[k], ay = apex_y_[k], third = point[k];
    const double level = ((first - third) * (first + third) + ax * ax + ay * ay - 2 * x * ax) / (2 * ay);
    result[k] = level / ay;
  }
  return result;
}

double PlaneTriangle::distance(const CornerDistances& p, const CornerDistances& q) const {
  double most = p[0] + q[0], least = std::abs(p[0] - q[0]);
  for (int k = 1; k < 3; ++k) {
    most = std::min(most, p[k] + q[k]);
    least = std::max(least, std::abs(p[k] - q[k]));
  }
  if (roundness_ < flat) return std::max(least, most);
  std::array<double, 3> lines;
  double crossing = most;
  bool crosses = false;
  for (int k = 0; k < 3; ++k) {
    const Place a = place(k, p), b = place(k, q);
    lines[k] = std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
    if ((a.y < 0) == (b.y < 0)) continue;
    const double at = a.x + (b.x - a.x) * a.y / (a.y - b.y);
    if (at < 0 || at > length_[k]) continue;
    crosses = true;
    crossing = std::min(crossing, lines[k]);
  }
  if (!crosses) {
    std::sort(lines.begin(), lines.end());
    crossing = lines[1];
  }
  return std::max(least, std::min(most, crossing));
}

}  // namespace geodome::internal
