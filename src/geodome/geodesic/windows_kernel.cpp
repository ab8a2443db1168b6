#include "geodome/geodesic/windows_kernel.h"

#include <cmath>
#include <limits>

#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace geodome {
namespace {

/// The tolerances below are relative to the local edge. Each errs towards more windows: a window too many
/// costs time, a window too few a wrong distance.
constexpr double cover_tolerance = 1e-10;  // a window reaches this much beyond its ends for the apex
constexpr double tie_crossing = 1e-8;      // crossings closer than this are taken as the same ray
constexpr double tie_distance = 1e-13;     // and lengths closer than this as the same length

constexpr int step = 2;
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

/// Whether a path of length `other` to a point of the window's edge is shorter than the window's own, whose
/// straight part has this squared length.
template <typename Number>
auto beaten(Number other, Number sigma, Number straight_squared) {
  const Number rest = other * (1 + tie_distance) - sigma;
  return (rest <= 0) | (rest * rest <= straight_squared);
}

}  // namespace

void approach_apex(const HalfEdge& edge, Bundle& bundle, Approach& approach) {
  for (int i = bundle.count; i % step != 0; ++i)
    bundle.low[i] = bundle.high[i] = bundle.x[i] = bundle.y[i] = bundle.sigma[i] = 0;
  const Numbers slack = all(cover_tolerance * edge.length), far = all(infinity);
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers x = load(bundle.x + i), y = load(bundle.y + i);
    const Numbers depth = y + edge.y, dx = edge.x - x;
    // Without any depth, the root lies on the edge and the apex in line with it: every ray crosses where it
    // is.
    const Numbers crossing = depth > 0 ? x + dx * y / depth : all(edge.x);
    const Numbers length = load(bundle.sigma + i) + root(dx * dx + depth * depth);
    const Mask seen = (crossing > load(bundle.low + i) - slack) & (crossing < load(bundle.high + i) + slack);
    store(crossing, approach.crossing + i);
    store(seen ? length : far, approach.length + i);
  }
}

void split_at_apex(const HalfEdge& edge, const Bundle& bundle, const Approach& approach, double best,
                   double crossing_of_best, bool sheets, double* to_left, double* to_right) {
  const double tie = tie_crossing * edge.length;
  const double clear = best * (1 + tie_distance);
  const Numbers left_end = all(crossing_of_best - tie), right_end = all(crossing_of_best + tie);
  // Only one side is proven lost for surfaces, where the two paths have met before. Where sheets meet, only
  // the rays that would cross the nearer path inside this very triangle are.
  const Numbers cut_left = all(sheets ? crossing_of_best : -infinity);
  const Numbers cut_right = all(sheets ? crossing_of_best : infinity);
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers low = load(bundle.low + i), high = load(bundle.high + i);
    const Numbers crossing = load(approach.crossing + i), length = load(approach.length + i);
    const Numbers inside = smaller(larger(crossing, low), high);
    const Mask farther = length > clear;
    // Whoever does not see the apex leaves whole, on the side its rays pass it.
    const Mask seen = length < infinity;
    const Numbers left = seen ? inside : (crossing > low ? high : all(-infinity));
    const Numbers right = seen ? inside : (crossing > low ? all(infinity) : low);
    store(seen & farther & (crossing > right_end) ? smaller(left, cut_left) : left, to_left + i);
    store(seen & farther & (crossing < left_end) ? larger(right, cut_right) : right, to_right + i);
  }
}

std::uint64_t leave_triangle(const Exit& exit, const Bundle& bundle, const double* split, Bundle& children) {
  const Numbers side = all(exit.side), none = all(0);
  const Numbers third_x = all(exit.span * exit.along);
  const double third_height = exit.span * exit.across;
  const bool flat = exit.across == 0;  // a triangle without area
  std::uint64_t kept = 0;
  for (int i = 0; i < bundle.count; i += step) {
    const Numbers from = exit.mirrored ? exit.span - load(bundle.high + i) : load(bundle.low + i);
    const Numbers to = exit.mirrored ? exit.span - load(split + i) : load(split + i);
    const Mask any = from < to;
    if (!bits(any)) continue;
    const Numbers x = exit.mirrored ? exit.span - load(bundle.x + i) : load(bundle.x + i);
    const Numbers y = load(bundle.y + i), sigma = load(bundle.sigma + i);
    const auto hit = [&](Numbers at) {
      const Numbers closing = exit.along * y - exit.across * (at - x);
      const Numbers where = flat ? at : y * at / closing;
      return (closing > 0) | (Mask{} - flat) ? smaller(larger(where, none), side) : side;
    };
    const Numbers low = hit(from), high = hit(to);
    const Numbers root_x = x * exit.along - y * exit.across;
    const Numbers root_y = larger(none, x * exit.across + y * exit.along);
    const Numbers to_low = (low - root_x) * (low - root_x) + root_y * root_y;
    const Numbers to_high = (high - root_x) * (high - root_x) + root_y * root_y;
    const Numbers to_third = root((third_x - low) * (third_x - low) + third_height * third_height);
    const Mask lost = beaten(exit.base + high, sigma, to_high) |
                      beaten(exit.apex + exit.side - low, sigma, to_low) |
                      beaten(exit.third + to_third, sigma, to_low);
    const Mask there = any & (high - low > narrowest_window * exit.side);
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
  return beaten(base + window.high, window.sigma, squared_to(window.high)) ||
         beaten(end + length - window.low, window.sigma, squared_to(window.low));
}

}  // namespace geodome
