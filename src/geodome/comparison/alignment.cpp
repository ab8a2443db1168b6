#include "geodome/comparison/alignment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/comparison/closest_pairs.h"

namespace geodome::internal {
namespace {

template <int m>
struct Trial {
  Motion<m> motion;
  double distance = infinity;  ///< over the share of the pairs that is kept
  int iterations = 0;
};

/// Fits to the closest pairs that are kept, again and again, until it gains less than `small`.
template <int m>
Trial<m> iterate(ClosestPairs<m>& closest, Motion<m> motion, const AlignmentRound& round, double small) {
  constexpr double longer = 1.8;  // pairs hold a form where it is: most steps are too short
  Trial<m> best{motion, infinity, 0};
  double least = infinity, reach = infinity, stretch = longer;
  for (int iteration = 1; iteration <= round.iterations; ++iteration) {
    closest.find(motion, round.search);
    if (iteration == 1 && round.reach < infinity)
      reach = round.reach * std::max(closest.median_distance(), small);
    const PairDistances distances = closest.select(round.kept, reach);
    const bool settled = !(distances.fitted < least - small);
    if (distances.fitted < least) {
      least = distances.fitted;
      best = {motion, distances.share, iteration};
    }
    if (iteration == round.iterations || (settled && stretch == 1)) break;
    if (settled) stretch = 1;
    motion = closest.fit(motion, stretch);
  }
  return best;
}

/// The turn by an eighth of a circle in each plane of two axes, and none.
template <int m>
std::vector<Eigen::Matrix<double, m, m>> eighth_turns() {
  std::vector<Eigen::Matrix<double, m, m>> turns = {Eigen::Matrix<double, m, m>::Identity()};
  const double half = std::sqrt(0.5);
  for (Eigen::Index a = 0; a < m; ++a)
    for (Eigen::Index b = 0; b < a; ++b) {
      turns.push_back(turns.front());
      turns.back()(a, a) = turns.back()(b, b) = half;
      turns.back()(a, b) = half;
      turns.back()(b, a) = -half;
    }
  return turns;
}

/// Every way to put the axes of one form on those of the other, and, since axes of nearly equal length turn
/// among themselves, half-way between; the centres on each other.
template <int m>
std::vector<Motion<m>> starts(const FormSamples& from, const FormSamples& to, bool reflections) {
  const typename Motion<m>::Place from_centre = from.centre(), to_centre = to.centre();
  const auto eighths = eighth_turns<m>();
  std::array<Eigen::Index, m> order;
  std::iota(order.begin(), order.end(), 0);
  std::vector<Motion<m>> motions;
  do {
    for (int signs = 0; signs < (1 << m); ++signs) {
      Eigen::Matrix<double, m, m> axes = Eigen::Matrix<double, m, m>::Zero();
      for (int axis = 0; axis < m; ++axis) axes(axis, order[axis]) = (signs >> axis) & 1 ? -1 : 1;
      if (!reflections && axes.determinant() < 0) continue;
      for (const auto& eighth : eighths) {
        Motion<m> motion;
        motion.turn = axes * eighth;
        motion.shift = to_centre - from_centre * motion.turn;
        motions.push_back(motion);
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return motions;
}

/// The best few in different places, the best first.
template <int m>
std::vector<Motion<m>> best_of(std::vector<Trial<m>>& trials, const AlignmentRound& round) {
  constexpr double same_place = 0.1;  // of turns: some four degrees
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial<m>& a, const Trial<m>& b) { return a.distance < b.distance; });
  std::vector<Motion<m>> motions;
  const double most = round.margin * trials.front().distance;
  for (const Trial<m>& trial : trials) {
    if (static_cast<int>(motions.size()) == round.survivors || trial.distance > most) break;
    const bool known = std::any_of(motions.begin(), motions.end(), [&](const Motion<m>& motion) {
      return (motion.turn - trial.motion.turn).norm() < same_place;
    });
    if (!known) motions.push_back(trial.motion);
  }
  return motions;
}

template <int m>
Alignment align_in(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options) {
  const double small = options.tolerance * (from.radius() + to.radius()) / 2;
  std::vector<Motion<m>> motions = starts<m>(from, to, options.reflections);
  int iterations = 0;
  for (const AlignmentRound& round : options.rounds) {
    ClosestPairs<m> closest(from, to, round.samples);
    std::vector<Trial<m>> trials;
    for (const Motion<m>& motion : motions) trials.push_back(iterate(closest, motion, round, small));
    motions = best_of(trials, round);
    iterations = trials.front().iterations;
  }
  const auto all = static_cast<Index>(std::max(from.samples().rows(), to.samples().rows()));
  ClosestPairs<m> closest(from, to, all);
  Motion<m> motion = motions.front();
  closest.find(motion, PairSearch::exact);
  double distance = closest.select(1, infinity).share;
  if (distance < std::max(from.grid().diagonal(), to.grid().diagonal())) {
    // Look-ups are too coarse for forms that are closer than the cells are wide.
    AlignmentRound exact = options.rounds.empty() ? AlignmentRound{.iterations = 1} : options.rounds.back();
    exact.search = PairSearch::exact;
    const Trial<m> trial = iterate(closest, motion, exact, small);
    if (trial.distance < distance) {
      motion = trial.motion;
      distance = trial.distance;
      iterations += trial.iterations;
    }
  }
  return {motion.turn, motion.shift, distance, iterations};
}

}  // namespace

Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options) {
  if (from.samples().cols() != to.samples().cols())
    throw InputError(text("a canonical form of ", from.samples().cols(),
                          " dimensions cannot be aligned with one of ", to.samples().cols()));
  switch (from.samples().cols()) {
    case 1:
      return align_in<1>(from, to, options);
    case 2:
      return align_in<2>(from, to, options);
    case 3:
      return align_in<3>(from, to, options);
    default:
      return align_in<4>(from, to, options);
  }
}

}  // namespace geodome::internal
