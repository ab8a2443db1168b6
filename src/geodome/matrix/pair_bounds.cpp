#include "geodome/matrix/pair_bounds.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// Radius of searches in landmark spacings. Intervals of 2 spacings are a quarter wider and cost half, those
/// of 4 are a seventh narrower and cost twice as much.
constexpr double reach = 3;
/// Fewer landmarks in a ball, and it is searched again with twice the radius.
constexpr std::size_t least_landmarks = 3;
/// The relative error of exact distances around slivers (geodesics.md).
constexpr double tolerance = 1e-6;
constexpr double no_less = 1 - tolerance, no_more = 1 + tolerance;
constexpr std::size_t pairs_at_once = 4096;

using Known = std::vector<std::pair<Index, double>>;

const double* find_in(const Known& known, Index key) {
  const auto at = std::lower_bound(known.begin(), known.end(), std::pair(key, -infinity));
  return at != known.end() && at->first == key ? &at->second : nullptr;
}

/// Each vertex of some pairs once, with the other ends.
struct Ends {
  std::vector<Index> vertices, others;
  std::vector<std::size_t> first{0};  ///< positions in `others`
};

Ends ends_of(std::span<const Index> I, std::span<const Index> J) {
  std::vector<std::pair<Index, Index>> both;
  for (std::size_t k = 0; k < I.size(); ++k) both.insert(both.end(), {{I[k], J[k]}, {J[k], I[k]}});
  std::sort(both.begin(), both.end());
  both.erase(std::unique(both.begin(), both.end()), both.end());
  Ends ends;
  for (const auto& [vertex, other] : both) {
    if (ends.vertices.empty() || ends.vertices.back() != vertex) {
      if (!ends.vertices.empty()) ends.first.push_back(ends.others.size());
      ends.vertices.push_back(vertex);
    }
    ends.others.push_back(other);
  }
  ends.first.push_back(ends.others.size());
  return ends;
}

}  // namespace

PairBounds::PairBounds(const LandmarkMatrix& matrix, const LowerBound& chord, const NearShape& shape,
                       const LandmarkError& error)
    : matrix_(matrix), chord_(chord), shape_(shape), error_(error) {
  for (std::size_t k = 0; k < matrix.landmarks().size(); ++k)
    position_.emplace_back(matrix.landmarks()[k], static_cast<Index>(k));
  std::sort(position_.begin(), position_.end());
}

PairBounds::Ball PairBounds::ball(Index vertex, std::span<const Index> others) const {
  const Index c = matrix_.component(vertex);
  const auto landmarks = static_cast<std::size_t>(matrix_.W(c).size());
  Ball result;
  result.radius = landmarks > 1 && matrix_.spacing(c) > 0 ? reach * matrix_.spacing(c) : infinity;
  for (;; result.radius *= 2) {
    result.landmarks.clear();
    result.others.clear();
    for (const Neighbour& one : shape_.within(vertex, result.radius)) {
      const auto at = std::lower_bound(position_.begin(), position_.end(), std::pair(one.vertex, Index{-1}));
      if (at != position_.end() && at->first == one.vertex)
        result.landmarks.emplace_back(at->second - matrix_.first_landmark(c), one.distance);
      if (std::binary_search(others.begin(), others.end(), one.vertex))
        result.others.emplace_back(one.vertex, one.distance);
    }
    if (result.landmarks.size() >= std::min(least_landmarks, landmarks) || result.radius == infinity) break;
  }
  std::sort(result.landmarks.begin(), result.landmarks.end());
  std::sort(result.others.begin(), result.others.end());
  return result;
}

Interval PairBounds::range(Index i, Index j, const Ball& from, const Ball& to) const {
  if (const double* exact = find_in(from.others, j)) return {*exact, *exact};
  if (const double* exact = find_in(to.others, i)) return {*exact, *exact};
  const Index c = matrix_.component(i), first = matrix_.first_landmark(c);
  const PackedSymmetric& W = matrix_.W(c);
  const double spacing = matrix_.spacing(c);
  Interval found{std::max({chord_(i, j), from.radius, to.radius}) * no_less, infinity};
  const auto narrow = [&](double low, double high) {
    found.low = std::max(found.low, low);
    found.high = std::min(found.high, high);
  };
  for (const auto& [a, start] : from.landmarks)
    for (const auto& [b, end] : to.landmarks) {
      if (a == b) {
        narrow(std::max(start, end) * no_less - std::min(start, end) * no_more, (start + end) * no_more);
        continue;
      }
      const double distance = W(a, b), error = error_.of(first + a, first + b, distance, spacing);
      narrow(distance * no_less - error - (start + end) * no_more,
             (distance + start + end) * no_more + error);
    }
  // Only where the error of a solver was larger than any that was found when it was measured.
  if (found.low > found.high) std::swap(found.low, found.high);
  return found;
}

void PairBounds::find(std::span<const Index> I, std::span<const Index> J, Vector& low, Vector& high,
                      const Execution& execution) const {
  low.setConstant(static_cast<Eigen::Index>(I.size()), infinity);
  high = low;
  for (std::size_t begin = 0; begin < I.size(); begin += pairs_at_once) {
    std::vector<std::size_t> asked;
    std::vector<Index> from, to;
    for (std::size_t k = begin; k < std::min(I.size(), begin + pairs_at_once); ++k) {
      const auto at = static_cast<Eigen::Index>(k);
      if (I[k] == J[k]) {
        low[at] = high[at] = 0;
      } else if (matrix_.component(I[k]) >= 0 && matrix_.component(I[k]) == matrix_.component(J[k])) {
        asked.push_back(k);
        from.push_back(std::min(I[k], J[k]));
        to.push_back(std::max(I[k], J[k]));
      }
    }
    const Ends ends = ends_of(from, to);
    std::vector<Ball> balls(ends.vertices.size());
    const Execution inner{execution.threads, {}};
    parallel_for(balls.size(), inner, {}, [&](std::size_t k, int) {
      balls[k] = ball(ends.vertices[k],
                      std::span(ends.others).subspan(ends.first[k], ends.first[k + 1] - ends.first[k]));
    });
    const auto ball_of = [&](Index vertex) -> const Ball& {
      const auto at = std::lower_bound(ends.vertices.begin(), ends.vertices.end(), vertex);
      return balls[static_cast<std::size_t>(at - ends.vertices.begin())];
    };
    parallel_for(asked.size(), inner, {}, [&](std::size_t k, int) {
      const Interval found = range(from[k], to[k], ball_of(from[k]), ball_of(to[k]));
      low[static_cast<Eigen::Index>(asked[k])] = found.low;
      high[static_cast<Eigen::Index>(asked[k])] = found.high;
    });
    execution.report("bounds", static_cast<double>(std::min(I.size(), begin + pairs_at_once)) /
                                   static_cast<double>(I.size()));
  }
}

}  // namespace geodome::internal
