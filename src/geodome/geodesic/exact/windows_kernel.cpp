#include "geodome/geodesic/exact/windows_kernel.h"

#include <algorithm>
#include <cmath>
#include <limits>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace geodome::internal {
namespace {

/// The tolerances below are relative to the local edge unless they say otherwise. Each errs towards more
/// windows: a window too many costs time, a window too few a wrong distance.
constexpr double cover_tolerance = 1e-10;  // a window reaches this much beyond its ends for the apex,
constexpr double cover_height = 1e-8;      // but no more than this part of the triangle's height
constexpr double tie_crossing = 1e-8;      // crossings closer than this are taken as the same ray
constexpr double tie_distance = 1e-13;     // and lengths closer than this part of them as the same length
/// A root closer than this to the edge: its rounding turns the rays through the ends of the window by more
/// than the tolerances above make up for.
constexpr double near_root = 1e-4;
/// A window that a root sees under a wider angle (the square of it here) is not narrow.
constexpr double narrowest_angle_squared = 1e-20;
/// Nothing fits through a window narrower than this, unless its root is very near.
constexpr double narrowest_window = 1e-12;
/// A height of zero would divide by zero; less than this is not known anyway.
constexpr double least_root_height = 1e-17;

constexpr int step = 2;
constexpr unsigned all_bits = 3;
static_assert(Bundle::most % step == 0 && Bundle::most <= 64);
typedef double Numbers __attribute__((vector_size(step * sizeof(double)), may_alias));
typedef std::int64_t Mask __attribute__((vector_size(step * sizeof(std::int64_t))));

Numbers load(const double* from) {
  return *reinterpret_cast<const Numbers*>(from);
}
void store(Numbers value, double* to) {
  *reinterpret_cast<Numbers*>(to) = value;
}
Numbers all(double value) {
  return Numbers{value, value};
}
Numbers smaller(Numbers a, Numbers b) {
  return a < b ? a : b;
}
Numbers larger(Numbers a, Numbers b) {
  return a > b ? a : b;
}
Numbers root(Numbers value) {
  Numbers result;
#ifdef __SSE2__
  result = reinterpret_cast<Numbers>(_mm_sqrt_pd(reinterpret_cast<__m128d>(value)));
#else
  for (int k = 0; k < step; ++k) result[k] = std::sqrt(value[k]);
#endif
  return result;
}
unsigned bits(Mask mask) {
#ifdef __SSE2__
  return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask)));
#else
  unsigned result = 0;
  for (int k = 0; k < step; ++k) result |= (mask[k] != 0) << k;
  return result;
#endif
}

/// The length above which a path is longer than one of length `length`, and not by rounding.
double clearly_above(double length, double edge) {
  return length * (1 + tie_distance) + coordinate_rounding * edge;
}

/// Whether a path of length `other` to a point of the window's edge is shorter than the window's own, whose
/// straight part has this squared length.
template <typename Number>
auto beaten(Number other, Number sigma, Number straight_squared) {
  const Number rest = other - sigma;
  return (rest <= 0) | (rest * rest <= straight_squared);
}

/// Whether anything fits through a window of this width whose low end is at this squared distance from its
/// root: wide on its edge, or at least as the root sees it.
template <typename Number>
auto is_open(Number width, double edge, Number root_squared) {
  return (width > narrowest_window * edge) |
         ((width > coordinate_rounding * edge) & (width * width > narrowest_angle_squared * root_squared));
}

}  // namespace

void approach_apex(const HalfEdge& edge, Bundle& bundle, Approach& approach) {
  for (int i = bundle.count; i % step != 0; ++i)
    bundle.low[i] = bundle.high[i] = bundle.x[i] = bundle.y[i] = bundle.sigma[i] = 0;
  const Numbers cover = all(std::min(cover_tolerance * edge.length, cover_height * edge.y));
  const Numbers far = all(infinity);
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers x = load(bundle.x + i), y = load(bundle.y + i);
    const Numbers depth = y + edge.y, dx = edge.x - x;
    const Numbers crossing = x + dx * y / depth;
    Numbers straight = root(dx * dx + depth * depth);
    const Numbers low = load(bundle.low + i), high = load(bundle.high + i);
    Mask seen = (crossing > low - cover) & (crossing < high + cover);
    if (edge.crossing >= 0 && bits(seen) != all_bits) {
      // In a sliver, a ray that passes the end of its window by no more than rounding may cross the edge far
      // from there. Then the path through the end is as long.
      const Numbers end = smaller(larger(crossing, low), high);
      const Numbers through =
          root((end - x) * (end - x) + y * y) + root((edge.x - end) * (edge.x - end) + all(edge.y * edge.y));
      const Numbers rounding = coordinate_rounding * (edge.length + straight);
      const Numbers beyond = larger(crossing - end, end - crossing);
      const Mask close = ~seen & (beyond * depth < rounding * straight) & (through < straight + rounding);
      straight = close ? through : straight;
      seen |= close;
    }
    store(crossing, approach.crossing + i);
    store(seen ? load(bundle.sigma + i) + straight : far, approach.length + i);
  }
}

void split_at_apex(const HalfEdge& edge, const Bundle& bundle, const Approach& approach, double best,
                   double crossing_of_best, bool sheets, double* to_left, double* to_right) {
  const double tie = tie_crossing * edge.length;
  const double clear = clearly_above(best, edge.length);
  const Numbers left_end = all(crossing_of_best - tie), right_end = all(crossing_of_best + tie);
  // Only one side is proven lost for surfaces, where the two paths have met before. Where sheets meet, only
  // the rays that would cross the nearer path inside this very triangle are.
  const Numbers cut_left = all(sheets ? crossing_of_best : -infinity);
  const Numbers cut_right = all(sheets ? crossing_of_best : infinity);
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers low = load(bundle.low + i), high = load(bundle.high + i);
    const Numbers crossing = load(approach.crossing + i), length = load(approach.length + i);
    const Mask farther = length > clear;
    // Whoever sees the apex is divided at its ray. In a sliver, where that crosses the edge is known less
    // well, and both parts reach as far as the apex; elsewhere windows that only touch the ray would multiply
    // on flat ground. Whoever does not see it leaves whole, on the side its rays pass it.
    const Mask seen = length < infinity;
    const Numbers inside = smaller(larger(crossing, low), high);
    const Numbers seen_left = edge.crossing >= 0 ? all(infinity) : inside;
    const Numbers seen_right = edge.crossing >= 0 ? all(-infinity) : inside;
    const Numbers left = seen ? seen_left : (crossing > low ? high : all(-infinity));
    const Numbers right = seen ? seen_right : (crossing > low ? all(infinity) : low);
    store((seen & farther & (crossing > right_end)) ? smaller(left, cut_left) : left, to_left + i);
    store((seen & farther & (crossing < left_end)) ? larger(right, cut_right) : right, to_right + i);
  }
}

namespace {

/// Where the rays of windows through one point each of their edge hit an exit.
struct Hit {
  const Exit& exit;
  Numbers x, y, side = all(exit.side), none = all(0);

  Numbers operator()(Numbers at) const {
    const Numbers closing = exit.along * y - exit.across * (at - x);
    return closing > 0 ? smaller(larger(y * at / closing, none), side) : side;
  }
  /// The same for rays that are turned about their root, towards the apex or away from it, so far that they
  /// pass the point at the distance that rounding may have moved it by.
  Numbers turned(Numbers at, double towards_apex) const {
    const Numbers u = at - x, reach = larger(u, -u) + y;
    const Numbers by = -towards_apex * coordinate_rounding * (exit.span + larger(x, -x));
    const Numbers across = reach * y * at + by * (x * u - y * y);
    const Numbers closing =
        reach * (exit.along * y - exit.across * u) + by * (exit.along * u + exit.across * y);
    return closing > 0 ? smaller(larger(across / closing, none), side) : side;
  }
};

}  // namespace

std::uint64_t leave_triangle(const Exit& exit, const Bundle& bundle, const double* split, Bundle& children) {
  const Numbers least_y = all(least_root_height * exit.side);
  const Numbers third_x = all(exit.span * exit.along);
  const double third_height = exit.span * exit.across;
  const double base = clearly_above(exit.base, exit.side);
  const double apex = clearly_above(exit.apex, exit.side) + exit.side;
  const double third = clearly_above(exit.third, exit.span);
  std::uint64_t kept = 0;
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers from = exit.mirrored ? exit.span - load(bundle.high + i) : load(bundle.low + i);
    const Numbers to = exit.mirrored ? exit.span - load(split + i) : load(split + i);
    const Mask any = from < to;
    if (!bits(any)) continue;
    const Numbers x = exit.mirrored ? exit.span - load(bundle.x + i) : load(bundle.x + i);
    const Numbers y = load(bundle.y + i), sigma = load(bundle.sigma + i);
    const Hit hit{exit, x, y};
    Numbers low = hit(from), high = hit(to);
    if (const Mask close = any & (y < near_root * exit.span); bits(close)) {
      low = close ? smaller(low, hit.turned(from, -1)) : low;
      high = close ? larger(high, hit.turned(to, 1)) : high;
    }
    const Numbers root_x = x * exit.along - y * exit.across;
    const Numbers root_y = larger(least_y, x * exit.across + y * exit.along);
    const Numbers to_low = (low - root_x) * (low - root_x) + root_y * root_y;
    const Numbers to_high = (high - root_x) * (high - root_x) + root_y * root_y;
    const Numbers to_third = root((third_x - low) * (third_x - low) + third_height * third_height);
    const Mask lost = beaten(base + high, sigma, to_high) | beaten(apex - low, sigma, to_low) |
                      beaten(third + to_third, sigma, to_low);
    Mask there = any & (high - low > narrowest_window * exit.side);
    if (bits(there) != bits(any)) there = any & is_open(high - low, exit.side, to_low);
    store(low, children.low + i);
    store(high, children.high + i);
    store(root_x, children.x + i);
    store(root_y, children.y + i);
    store(sigma, children.sigma + i);
    kept |= static_cast<std::uint64_t>(bits(there & ~lost)) << i;
  }
  children.count = bundle.count;
  return bundle.count < 64 ? kept & ((std::uint64_t{1} << bundle.count) - 1) : kept;
}

bool beaten_from_ends(double base, double end, double length, const Window& window) {
  const auto squared_to = [&](double at) { return (at - window.x) * (at - window.x) + window.y * window.y; };
  return beaten(clearly_above(base, length) + window.high, window.sigma, squared_to(window.high)) ||
         beaten(clearly_above(end, length) + length - window.low, window.sigma, squared_to(window.low));
}

bool is_open(const Window& window, double length) {
  const double aside = window.low - window.x;
  return is_open(window.high - window.low, length, aside * aside + window.y * window.y);
}

}  // namespace geodome::internal
