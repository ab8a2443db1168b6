#include "geodome/comparison/alignment.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr Eigen::Index most_dimensions = 4;

RowMatrix<double> finite_rows(const Eigen::Ref<const RowMatrix<double>>& form) {
  if (form.cols() < 1 || form.cols() > most_dimensions)
    throw InputError(text("canonical forms of ", form.cols(), " dimensions cannot be aligned: use 1 to ",
                          most_dimensions));
  RowMatrix<double> finite(form.rows(), form.cols());
  Eigen::Index rows = 0;
  for (Eigen::Index v = 0; v < form.rows(); ++v)
    if (form.row(v).allFinite()) finite.row(rows++) = form.row(v);
  if (rows == 0) throw InputError("a canonical form without a finite point cannot be aligned");
  return finite.topRows(rows);
}

RowMatrix<double> sampled(const RowMatrix<double>& points, Index count) {
  const std::vector<Index> chosen = farthest_points(points, count);
  RowMatrix<double> samples(static_cast<Eigen::Index>(chosen.size()), points.cols());
  for (std::size_t k = 0; k < chosen.size(); ++k)
    samples.row(static_cast<Eigen::Index>(k)) = points.row(chosen[k]);
  return samples;
}

struct Motion {
  Eigen::MatrixXd turn;
  Eigen::RowVectorXd shift;
};

/// A point of `from` and one of `to`, as they are before the motion.
struct Pair {
  const double* from = nullptr;
  const double* to = nullptr;
  double distance = 0;
};

/// Closest points both ways, from the first samples of each form to all samples or all points of the other.
class ClosestPairs {
 public:
  enum class Among { samples, points };

  ClosestPairs(const FormSamples& from, const FormSamples& to, Index samples, Among among)
      : from_(from.samples().topRows(std::min<Eigen::Index>(samples, from.samples().rows()))),
        to_(to.samples().topRows(std::min<Eigen::Index>(samples, to.samples().rows()))),
        from_tree_(among == Among::points ? from.tree() : from.sample_tree()),
        to_tree_(among == Among::points ? to.tree() : to.sample_tree()),
        in_to_(static_cast<std::size_t>(from_.rows()), PointTree::none),
        in_from_(static_cast<std::size_t>(to_.rows()), PointTree::none) {}

  /// Each at most 1 + slack times as far apart as the closest.
  std::vector<Pair> operator()(const Motion& motion, double slack = 0) {
    const Eigen::Index m = motion.turn.rows();
    const RowMatrix<double> moved = (from_ * motion.turn).rowwise() + motion.shift;
    const RowMatrix<double> moved_back = (to_.rowwise() - motion.shift) * motion.turn.transpose();
    std::vector<Pair> pairs;
    pairs.reserve(static_cast<std::size_t>(from_.rows() + to_.rows()));
    for (Eigen::Index k = 0; k < from_.rows(); ++k) {
      const NearestPoint nearest = to_tree_.nearest(moved.data() + k * m, in_to_[k], slack);
      in_to_[k] = nearest.point;
      pairs.push_back({from_.data() + k * m, &to_tree_.points()(nearest.point, 0), nearest.distance});
    }
    for (Eigen::Index k = 0; k < to_.rows(); ++k) {
      const NearestPoint nearest = from_tree_.nearest(moved_back.data() + k * m, in_from_[k], slack);
      in_from_[k] = nearest.point;
      pairs.push_back({&from_tree_.points()(nearest.point, 0), to_.data() + k * m, nearest.distance});
    }
    return pairs;
  }

 private:
  Eigen::Ref<const RowMatrix<double>> from_, to_;
  const PointTree &from_tree_, &to_tree_;
  std::vector<Index> in_to_, in_from_;  ///< the closest of the motion before, which is not far off
};

/// Which pairs are fitted: of the closest share of them, those within reach.
struct Trim {
  double share = 1;
  double reach = infinity;
};

/// Brings the pairs that are fitted to the front.
struct Kept {
  std::size_t count = 0;
  double distance = 0;  ///< root mean square over the share, the reach for pairs beyond it

  Kept(std::vector<Pair>& pairs, const Trim& trim) {
    const auto nearer = [](const Pair& a, const Pair& b) { return a.distance < b.distance; };
    const auto share = static_cast<std::ptrdiff_t>(std::ceil(trim.share * static_cast<double>(pairs.size())));
    const auto end = pairs.begin() + std::max<std::ptrdiff_t>(1, share);
    std::nth_element(pairs.begin(), end - 1, pairs.end(), nearer);
    const auto beyond =
        std::partition(pairs.begin(), end, [&](const Pair& pair) { return pair.distance <= trim.reach; });
    count = static_cast<std::size_t>(beyond - pairs.begin());
    double sum = 0;
    for (auto pair = pairs.begin(); pair != beyond; ++pair) sum += pair->distance * pair->distance;
    if (beyond != end) sum += static_cast<double>(end - beyond) * trim.reach * trim.reach;
    distance = std::sqrt(sum / static_cast<double>(end - pairs.begin()));
  }
};

double median_distance(std::vector<Pair> pairs) {
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(pairs.size() / 2);
  std::nth_element(pairs.begin(), middle, pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
  return middle->distance;
}

/// The motion that brings the first `count` pairs together best [Kabsch 1976], with the handedness of
/// `before`.
Motion fit(const std::vector<Pair>& pairs, std::size_t count, const Motion& before) {
  const Eigen::Index m = before.turn.rows();
  RowMatrix<double> A(static_cast<Eigen::Index>(count), m), B = A;
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    std::copy_n(pairs[static_cast<std::size_t>(k)].from, m, &A(k, 0));
    std::copy_n(pairs[static_cast<std::size_t>(k)].to, m, &B(k, 0));
  }
  const Eigen::RowVectorXd mean_from = A.colwise().mean(), mean_to = B.colwise().mean();
  A.rowwise() -= mean_from;
  B.rowwise() -= mean_to;
  const Eigen::MatrixXd covariance = A.transpose() * B;
  // Square: no preconditioner is needed, and none is compiled.
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
      covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::MatrixXd U = svd.matrixU();
  const double handedness = (U * svd.matrixV().transpose()).determinant() * before.turn.determinant();
  if (handedness < 0) U.col(m - 1) *= -1;
  Motion motion;
  motion.turn = U * svd.matrixV().transpose();
  motion.shift = mean_to - mean_from * motion.turn;
  return motion;
}

struct Trial {
  Motion motion;
  double distance = infinity;  ///< over the pairs that are kept
  int iterations = 0;
};

/// Fits to the closest pairs that are kept, again and again.
Trial iterate(ClosestPairs closest, Motion motion, int iterations, const Trim& trim, double small) {
  constexpr double slack = 0.05;  // takes three quarters of the time, and the fit hardly notices
  Trial best{motion, infinity, 0};
  for (int round = 0; round < iterations; ++round) {
    std::vector<Pair> pairs = closest(motion, slack);
    const Kept kept(pairs, trim);
    const bool settled = !(kept.distance < best.distance - small);
    if (kept.distance < best.distance) best = {motion, kept.distance, round + 1};
    if (settled) break;
    motion = fit(pairs, kept.count, motion);
  }
  return best;
}

/// The turn by an eighth of a circle in each plane of two axes, and none.
std::vector<Eigen::MatrixXd> eighth_turns(Eigen::Index m) {
  std::vector<Eigen::MatrixXd> turns = {Eigen::MatrixXd::Identity(m, m)};
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
std::vector<Motion> starts(const FormSamples& from, const FormSamples& to, bool reflections) {
  const Eigen::Index m = from.samples().cols();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Motion> motions;
  do {
    for (int signs = 0; signs < (1 << m); ++signs) {
      Eigen::MatrixXd axes = Eigen::MatrixXd::Zero(m, m);
      for (Eigen::Index axis = 0; axis < m; ++axis) axes(axis, order[axis]) = (signs >> axis) & 1 ? -1 : 1;
      if (!reflections && axes.determinant() < 0) continue;
      for (const Eigen::MatrixXd& eighth : eighth_turns(m)) {
        Motion motion;
        motion.turn = axes * eighth;
        motion.shift = to.centre() - from.centre() * motion.turn;
        motions.push_back(std::move(motion));
      }
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return motions;
}

/// The best few in different places, the best first.
std::vector<Motion> best_of(std::vector<Trial> trials, const AlignmentRound& round) {
  constexpr double same_place = 0.1;  // of turns: some four degrees
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial& a, const Trial& b) { return a.distance < b.distance; });
  std::vector<Motion> motions;
  const double most = round.margin * trials.front().distance;
  for (Trial& trial : trials) {
    if (static_cast<int>(motions.size()) == round.survivors || trial.distance > most) break;
    const bool known = std::any_of(motions.begin(), motions.end(), [&](const Motion& motion) {
      return (motion.turn - trial.motion.turn).norm() < same_place;
    });
    if (!known) motions.push_back(std::move(trial.motion));
  }
  return motions;
}

}  // namespace

FormSamples::FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count)
    : tree_(finite_rows(form)),
      sample_tree_(sampled(tree_.points(), count)),
      centre_(samples().colwise().mean()),
      radius_(std::sqrt((samples().rowwise() - centre_).rowwise().squaredNorm().mean())) {}

Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options) {
  if (from.samples().cols() != to.samples().cols())
    throw InputError(text("a canonical form of ", from.samples().cols(),
                          " dimensions cannot be aligned with one of ", to.samples().cols()));
  const double small = options.tolerance * (from.radius() + to.radius()) / 2;
  std::vector<Motion> motions = starts(from, to, options.reflections);
  for (const AlignmentRound& round : options.rounds) {
    const ClosestPairs closest(from, to, round.samples, ClosestPairs::Among::samples);
    std::vector<Trial> trials;
    for (Motion& motion : motions)
      trials.push_back(iterate(closest, std::move(motion), round.iterations, {options.kept}, small));
    motions = best_of(std::move(trials), round);
  }
  const auto all = static_cast<Index>(std::max(from.samples().rows(), to.samples().rows()));
  ClosestPairs closest(from, to, all, ClosestPairs::Among::points);
  Alignment best;
  best.distance = infinity;
  for (Motion& motion : motions) {
    const Trim trim{1, options.reach * median_distance(closest(motion))};
    const Trial trial = iterate(closest, std::move(motion), options.iterations, trim, small);
    std::vector<Pair> pairs = closest(trial.motion);
    const double distance = Kept(pairs, {}).distance;
    if (distance < best.distance) best = {trial.motion.turn, trial.motion.shift, distance, trial.iterations};
  }
  return best;
}

}  // namespace geodome::internal
