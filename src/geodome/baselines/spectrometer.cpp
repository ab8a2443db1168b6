#include "geodome/baselines/spectrometer.h"

#include <Eigen/Cholesky>
#include <array>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Of the largest: eigenvalues below are zero.
constexpr double vanishing = 1e-10;
/// Of the sampled stiffness scaled by the eigenvalues, which is one on average: enough for few samples to
/// give an answer, and lost in the error otherwise.
constexpr double ridge = 1e-9;
/// To find the diameter with: safe where heat spreads farthest for its first eigenvalue, on the sphere and
/// in the plane.
constexpr double first_time = 2;
/// Between 0.35 and 0.5 the error hardly depends on it, on smooth shapes and folded ones.
constexpr double time_factor = 0.4;

}  // namespace

Spectrometer::Spectrometer(const Eigenpairs& pairs, const GradientSamples& samples,
                           const SpectrometerOptions& options)
    : pairs_(pairs), samples_(samples), flow_(options.flow), time_(options.time) {
  if (!(time_ >= 0 && std::isfinite(time_)))
    throw InputError(text("the time must be positive and finite, or 0 for the default, got ", time_));
  const Eigen::Index k = pairs.values.size();
  while (zeros_ < k && pairs.values[zeros_] <= vanishing * pairs.values[k - 1]) ++zeros_;
  const Eigen::Index used = k - zeros_;
  if (used == 0) return;
  const Vector scale = pairs.values.tail(used).cwiseSqrt().cwiseInverse();
  Eigen::MatrixXd stiffness =
      scale.asDiagonal() * samples.stiffness().bottomRightCorner(used, used) * scale.asDiagonal();
  stiffness.diagonal().array() += ridge;
  const Eigen::LLT<Eigen::MatrixXd> factor(stiffness);
  if (factor.info() != Eigen::Success)
    throw NumericalError(
        text("the gradients of ", k,
             " eigenvectors at the sampled places are numerically dependent: use fewer eigenvectors"));
  inverse_ = scale.asDiagonal() * factor.solve(Eigen::MatrixXd(scale.asDiagonal()));
  if (time_ > 0) return;
  time_ = first_time / std::sqrt(pairs.values[zeros_] * pairs.values[k - 1]);
  if (const double found = diameter(); found > 0)
    time_ = time_factor * found / std::sqrt(pairs.values[k - 1]);
}

/// From any vertex to the far end, and from there to the other.
double Spectrometer::diameter() const {
  Index source = 0;
  double length = 0;
  for (int sweep = 0; sweep < 2; ++sweep) {
    const Vector row = pairs_.vectors * coefficients(std::span(&source, 1)).col(0);
    const double here = row[source];
    Eigen::Index far = 0;
    length = row.maxCoeff(&far) - here;
    source = static_cast<Index>(far);
  }
  return length;
}

Eigen::MatrixXd Spectrometer::coefficients(std::span<const Index> sources) const {
  const Eigen::Index k = pairs_.values.size();
  Eigen::MatrixXd heat(k, static_cast<Eigen::Index>(sources.size()));
  for (std::size_t s = 0; s < sources.size(); ++s)
    heat.col(static_cast<Eigen::Index>(s)) = pairs_.vectors.row(sources[s]).transpose();
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(k, heat.cols());
  if (inverse_.size() == 0) return result;
  const Eigen::ArrayXd rate = time_ * pairs_.values.array();
  const Eigen::ArrayXd left =
      flow_ == HeatFlow::exponential ? Eigen::ArrayXd((-rate).exp()) : Eigen::ArrayXd((1 + rate).inverse());
  heat.array().colwise() *= left;
  const Eigen::MatrixXd right = samples_.unit_divergence(heat);
  result.bottomRows(inverse_.rows()).noalias() = inverse_ * right.bottomRows(inverse_.rows());
  return result;
}

}  // namespace geodome::internal
