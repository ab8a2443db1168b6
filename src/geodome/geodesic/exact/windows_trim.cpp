#include "geodome/geodesic/exact/windows_trim.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace geodome::internal {
namespace {

/// Lengths closer than this are the same path twice, as coincident sheets make it.
constexpr double relative_tie = 1e-13;

double tie_length(double length, double edge) {
  return relative_tie * length + coordinate_rounding * edge;
}

double length_through(const Window& window, double at) {
  return window.sigma + std::hypot(at - window.x, window.y);
}

/// The points of the edge at which two windows give the same length are among these two; NaN where there is
/// none.
std::array<double, 2> candidate_ties(const Window& p, const Window& q) {
  // |P x| - |Q x| = c, squared twice: (slope x + offset)² = 4 c² ((x - q.x)² + q.y²).
  const double c = q.sigma - p.sigma, slope = 2 * (q.x - p.x);
  const double offset = p.x * p.x + p.y * p.y - q.x * q.x - q.y * q.y - c * c;
  const double two = slope * slope - 4 * c * c, one = slope * offset + 4 * c * c * q.x;
  const double zero = offset * offset - 4 * c * c * (q.x * q.x + q.y * q.y);
  const double root = std::sqrt(std::max(0.0, one * one - two * zero));
  const double larger = one >= 0 ? -one - root : -one + root;
  return {larger / two, zero / larger};
}

}  // namespace

double tie_length(const Window& window, double edge) {
  const double longest = std::max(length_through(window, window.low), length_through(window, window.high));
  return tie_length(longest, edge);
}

double turn_within_tie(double length, double straight, double edge) {
  return std::sqrt(8 * tie_length(length, edge) / straight);
}

bool trim(Window& window, const Window& other, double tie) {
  const double low = std::max(window.low, other.low), high = std::min(window.high, other.high);
  if (!(low < high)) return true;
  std::array<double, 6> cut{window.low, low, high, high, high, window.high};
  int cuts = 2;
  auto ties = candidate_ties(window, other);
  if (!(ties[0] < ties[1])) std::swap(ties[0], ties[1]);
  for (const double at : ties)
    if (at > cut[cuts - 1] && at < high) cut[cuts++] = at;
  cut[cuts++] = high;
  cut[cuts++] = window.high;
  const auto useless = [&](int piece) {
    if (cut[piece] >= cut[piece + 1]) return true;
    const double middle = (cut[piece] + cut[piece + 1]) / 2;
    return middle > low && middle < high &&
           length_through(other, middle) <= length_through(window, middle) + tie;
  };
  int first = 0, last = cuts - 1;
  while (first < last && useless(first)) ++first;
  while (first < last && useless(last - 1)) --last;
  window.low = cut[first];
  window.high = cut[last];
  return first < last;
}

}  // namespace geodome::internal
