#pragma once
/// The heat method carried out in the span of a few eigenvectors [Litman and Bronstein 2016]: once these are
/// there, the distances from a source cost no more however many vertices there are.

#include <span>
#include <vector>

#include "geodome/baselines/gradient_samples.h"
#include "geodome/baselines/options.h"
#include "geodome/laplacian/eigen.h"

namespace geodome::internal {

/// For one component. Const and thread-safe.
class Spectrometer {
 public:
  /// All must outlive it. Throws InputError on a time that is negative or not finite.
  Spectrometer(const Eigenpairs& pairs, const GradientSamples& samples,
               const SpectrometerOptions& options = {});

  double time() const { return time_; }

  /// k by #sources, which are rows of pairs.vectors: Φ times a column is the distance from that source, up to
  /// a constant. With Λ the eigenvalues, G the sampled gradients and w their weights,
  ///   a = exp(-tΛ) φ(source),   X = -G a / |G a|,   (Gᵀ w G) c = Gᵀ w X:
  /// of all functions in the span, that with gradients nearest to X. Where every place is sampled Gᵀ w G = Λ.
  /// Cost: O(k (places + k)) for each source.
  Eigen::MatrixXd coefficients(std::span<const Index> sources) const;

 private:
  double diameter() const;

  const Eigenpairs& pairs_;
  const GradientSamples& samples_;
  HeatFlow flow_;
  double time_;
  Eigen::Index zeros_ = 0;   ///< eigenvalues that are none
  Eigen::MatrixXd inverse_;  ///< of Gᵀ w G without these
};

}  // namespace geodome::internal
