#include "geodome/comparison/alignment.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"

namespace geodome {
namespace {

constexpr Eigen::Index most_dimensions = 4;

RowMatrix<double> finite_rows(const Eigen::Ref<const RowMatrix<double>>& form) {
  if (form.cols() < 1 || form.cols() > most_dimensions)
    throw InputError(
        text("forms of ", form.cols(), " dimensions cannot be aligned: use 1 to ", most_dimensions));
  RowMatrix<double> finite(form.rows(), form.cols());
  Eigen::Index rows = 0;
  for (Eigen::Index v = 0; v < form.rows(); ++v)
    if (form.row(v).allFinite()) finite.row(rows++) = form.row(v);
  if (rows == 0) throw InputError("a form without a finite point cannot be aligned");
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

/// Closest points both ways, over the first samples of each.
std::vector<Pair> closest_pairs(const FormSamples& from, const FormSamples& to, const Motion& motion,
                                Index samples) {
  const Eigen::Index m = motion.turn.rows();
  const Eigen::Index forward = std::min<Eigen::Index>(samples, from.samples().rows());
  const Eigen::Index backward = std::min<Eigen::Index>(samples, to.samples().rows());
  const RowMatrix<double> moved = (from.samples().topRows(forward) * motion.turn).rowwise() + motion.shift;
  const RowMatrix<double> moved_back =
      (to.samples().topRows(backward).rowwise() - motion.shift) * motion.turn.transpose();
  std::vector<Pair> pairs;
  pairs.reserve(static_cast<std::size_t>(forward + backward));
  for (Eigen::Index k = 0; k < forward; ++k) {
    const NearestPoint nearest = to.tree().nearest(moved.data() + k * m);
    pairs.push_back({&from.samples()(k, 0), &to.tree().points()(nearest.point, 0), nearest.distance});
  }
  for (Eigen::Index k = 0; k < backward; ++k) {
    const NearestPoint nearest = from.tree().nearest(moved_back.data() + k * m);
    pairs.push_back({&from.tree().points()(nearest.point, 0), &to.samples()(k, 0), nearest.distance});
  }
  return pairs;
}

double root_mean_square(const std::vector<Pair>& pairs, std::size_t count) {
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) sum += pairs[k].distance * pairs[k].distance;
  return std::sqrt(sum / static_cast<double>(count));
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
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
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

Trial iterate(const FormSamples& from, const FormSamples& to, Motion motion, Index samples, int iterations,
              double kept) {
  Trial best{motion, infinity, 0};
  const double small = 1e-6 * (from.radius() + to.radius());
  for (int round = 0; round < iterations; ++round) {
    std::vector<Pair> pairs = closest_pairs(from, to, motion, samples);
    const auto count = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::ceil(kept * static_cast<double>(pairs.size()))));
    std::nth_element(pairs.begin(), pairs.begin() + static_cast<std::ptrdiff_t>(count - 1), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
    const double distance = root_mean_square(pairs, count);
    const bool settled = !(distance < best.distance - small);
    if (distance < best.distance) best = {motion, distance, round + 1};
    if (settled) break;
    motion = fit(pairs, count, motion);
  }
  return best;
}

/// Every way to put the axes of one form on those of the other, with the centres on each other.
std::vector<Motion> starts(const FormSamples& from, const FormSamples& to, bool reflections) {
  const Eigen::Index m = from.samples().cols();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(m));
  std::iota(order.begin(), order.end(), 0);
  std::vector<Motion> motions;
  do {
    for (int signs = 0; signs < (1 << m); ++signs) {
      Motion motion;
      motion.turn = Eigen::MatrixXd::Zero(m, m);
      for (Eigen::Index axis = 0; axis < m; ++axis)
        motion.turn(axis, order[axis]) = (signs >> axis) & 1 ? -1 : 1;
      motion.shift = to.centre() - from.centre() * motion.turn;
      if (reflections || motion.turn.determinant() > 0) motions.push_back(std::move(motion));
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return motions;
}

/// Where these starts lead with so many samples and iterations: the best few, the best first.
std::vector<Motion> best_of(const FormSamples& from, const FormSamples& to, const std::vector<Motion>& starts,
                            Index samples, int iterations, double kept, int count) {
  std::vector<Trial> trials;
  for (const Motion& start : starts) trials.push_back(iterate(from, to, start, samples, iterations, kept));
  std::stable_sort(trials.begin(), trials.end(),
                   [](const Trial& a, const Trial& b) { return a.distance < b.distance; });
  trials.resize(std::min(trials.size(), static_cast<std::size_t>(count)));
  std::vector<Motion> motions;
  for (Trial& trial : trials) motions.push_back(std::move(trial.motion));
  return motions;
}

}  // namespace

FormSamples::FormSamples(const Eigen::Ref<const RowMatrix<double>>& form, Index count)
    : tree_(finite_rows(form)),
      samples_(sampled(tree_.points(), count)),
      centre_(samples_.colwise().mean()),
      radius_(std::sqrt((samples_.rowwise() - centre_).rowwise().squaredNorm().mean())) {}

Alignment align(const FormSamples& from, const FormSamples& to, const AlignmentOptions& options) {
  if (from.samples().cols() != to.samples().cols())
    throw InputError(text("a form of ", from.samples().cols(), " dimensions cannot be aligned with one of ",
                          to.samples().cols()));
  std::vector<Motion> motions = starts(from, to, options.reflections);
  motions = best_of(from, to, motions, options.coarse_samples, options.coarse_iterations, options.kept,
                    options.semifinalists);
  motions = best_of(from, to, motions, options.medium_samples, options.medium_iterations, options.kept,
                    options.finalists);
  const auto all = static_cast<Index>(std::max(from.samples().rows(), to.samples().rows()));
  Trial best;
  for (const Motion& motion : motions) {
    Trial trial = iterate(from, to, motion, all, options.iterations, options.kept);
    if (trial.distance < best.distance) best = std::move(trial);
  }
  const std::vector<Pair> pairs = closest_pairs(from, to, best.motion, all);
  return {best.motion.turn, best.motion.shift, root_mean_square(pairs, pairs.size()), best.iterations};
}

}  // namespace geodome
