#pragma once
/// One step of iterative closest points: pairs, which of them count, and the motion that fits them best.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

#include "geodome/comparison/form_samples.h"

namespace geodome::internal {

/// x maps to x turn + shift.
template <int m>
struct Motion {
  using Place = Eigen::Matrix<double, 1, m>;
  Eigen::Matrix<double, m, m> turn;
  Place shift;
};

/// How the closest point is found: that of one cell of a grid, of the cells around, or the true one.
enum class PairSearch { cell, around, exact };

/// Root mean square distances of a share of the pairs.
struct PairDistances {
  double fitted = 0;  ///< with the reach for pairs beyond it: what a fit lowers
  double share = 0;
};

/// Pairs of closest points both ways, from the first samples of each form to all points of the other.
template <int m>
class ClosestPairs {
 public:
  using Place = typename Motion<m>::Place;
  using PlaceMap = Eigen::Map<const Place>;

  ClosestPairs(const FormSamples& from, const FormSamples& to, Index samples)
      : from_(from),
        to_(to),
        from_count_(std::min<Eigen::Index>(samples, from.samples().rows())),
        to_count_(std::min<Eigen::Index>(samples, to.samples().rows())),
        closest_(static_cast<std::size_t>(from_count_ + to_count_)),
        squared_(closest_.size()) {}

  void find(const Motion<m>& motion, PairSearch search) {
    switch (search) {
      case PairSearch::cell:
        return find_by(motion, [](const FormSamples& form, const double* place) {
          return form.grid().template near<m>(place);
        });
      case PairSearch::around:
        return find_by(motion, [](const FormSamples& form, const double* place) {
          return form.grid().template near_around<m>(place);
        });
      case PairSearch::exact:
        return find_by(motion, [](const FormSamples& form, const double* place) {
          const Index start = form.grid().template near_around<m>(place).point;
          const NearestPoint nearest = form.tree().nearest(place, start);
          return NearPoint{nearest.point, nearest.distance * nearest.distance};
        });
    }
  }

  /// Selects the pairs that fit() fits: of the closest share of them, those within reach.
  PairDistances select(double share, double reach) {
    sorted_ = squared_;
    const auto count = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(sorted_.size())));
    const auto end = sorted_.begin() + std::max<std::ptrdiff_t>(1, count);
    if (end != sorted_.end()) std::nth_element(sorted_.begin(), end - 1, sorted_.end());
    double fitted = 0, all = 0, farthest = 0;
    for (auto squared = sorted_.begin(); squared != end; ++squared) {
      fitted += std::min(*squared, reach * reach);
      all += *squared;
      farthest = std::max(farthest, *squared);
    }
    limit_ = std::min(farthest, reach * reach);
    const auto pairs = static_cast<double>(end - sorted_.begin());
    return {std::sqrt(fitted / pairs), std::sqrt(all / pairs)};
  }

  double median_distance() {
    sorted_ = squared_;
    const auto middle = sorted_.begin() + static_cast<std::ptrdiff_t>(sorted_.size() / 2);
    std::nth_element(sorted_.begin(), middle, sorted_.end());
    return std::sqrt(*middle);
  }

  /// The motion that brings the selected pairs together best [Kabsch 1976], with the handedness of `before`,
  /// by which they were found; or one that goes farther than that by a factor `stretch`.
  Motion<m> fit(const Motion<m>& before, double stretch = 1) const {
    const Place from_centre = from_.centre(), to_centre = to_.centre();
    Place from_sum = Place::Zero(), to_sum = Place::Zero();
    Eigen::Matrix<double, m, m> products = Eigen::Matrix<double, m, m>::Zero();
    double count = 0;
    const auto add = [&](const double* from, const double* to) {
      const Place moved = PlaceMap(from) * before.turn + before.shift;
      const Place a = PlaceMap(from) - from_centre;
      const Place b = moved + stretch * (PlaceMap(to) - moved) - to_centre;
      from_sum += a;
      to_sum += b;
      products.noalias() += a.transpose() * b;
      ++count;
    };
    const RowMatrix<double>&from_points = from_.tree().points(), &to_points = to_.tree().points();
    std::size_t pair = 0;
    for (Eigen::Index k = 0; k < from_count_; ++k, ++pair)
      if (squared_[pair] <= limit_) add(&from_.samples()(k, 0), &to_points(closest_[pair], 0));
    for (Eigen::Index k = 0; k < to_count_; ++k, ++pair)
      if (squared_[pair] <= limit_) add(&from_points(closest_[pair], 0), &to_.samples()(k, 0));
    const Place from_mean = from_sum / count, to_mean = to_sum / count;
    products -= count * from_mean.transpose() * to_mean;
    Motion<m> motion;
    if constexpr (m == 1) {
      motion.turn = before.turn;
    } else {
      // Square: no preconditioner is needed, and none is compiled.
      const Eigen::JacobiSVD<Eigen::Matrix<double, m, m>, Eigen::NoQRPreconditioner> svd(
          products, Eigen::ComputeFullU | Eigen::ComputeFullV);
      Eigen::Matrix<double, m, m> U = svd.matrixU();
      const double handedness = (U * svd.matrixV().transpose()).determinant() * before.turn.determinant();
      if (handedness < 0) U.col(m - 1) *= -1;
      motion.turn = U * svd.matrixV().transpose();
    }
    motion.shift = to_mean + to_centre - (from_mean + from_centre) * motion.turn;
    return motion;
  }

 private:
  template <typename Nearest>
  void find_by(const Motion<m>& motion, const Nearest& nearest) {
    std::size_t pair = 0;
    const auto keep = [&](const NearPoint& found) {
      closest_[pair] = found.point;
      squared_[pair] = found.squared;
      ++pair;
    };
    for (Eigen::Index k = 0; k < from_count_; ++k) {
      const Place moved = PlaceMap(&from_.samples()(k, 0)) * motion.turn + motion.shift;
      keep(nearest(to_, moved.data()));
    }
    const Eigen::Matrix<double, m, m> back = motion.turn.transpose();
    for (Eigen::Index k = 0; k < to_count_; ++k) {
      const Place moved = (PlaceMap(&to_.samples()(k, 0)) - motion.shift) * back;
      keep(nearest(from_, moved.data()));
    }
  }

  const FormSamples &from_, &to_;
  Eigen::Index from_count_, to_count_;
  std::vector<Index> closest_;  ///< to the samples of `from`, then of `to`
  std::vector<double> squared_, sorted_;
  double limit_ = infinity;
};

}  // namespace geodome::internal
