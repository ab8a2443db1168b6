#include "geodome/comparison/shape_distances.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/comparison/screening.h"

namespace geodome::internal {
namespace {

std::vector<FormSamples> sample_forms(const std::vector<RowMatrix<double>>& forms,
                                      const ShapeDistanceOptions& options, const Execution& execution) {
  std::vector<std::unique_ptr<FormSamples>> sampled(forms.size());
  parallel_for(forms.size(), execution, "sampling forms", [&](std::size_t k, int) {
    sampled[k] = std::make_unique<FormSamples>(forms[k], options.samples);
    if (!(sampled[k]->radius() > 0))
      throw InputError(text("canonical form ", k, " has no extent: all its points are equal"));
    if (options.ignore_size)
      sampled[k] = std::make_unique<FormSamples>(forms[k] / sampled[k]->radius(), options.samples);
  });
  std::vector<FormSamples> result;
  for (auto& one : sampled) result.push_back(std::move(*one));
  return result;
}

/// Distances of some pairs of forms, infinite for those that were not aligned.
class AlignedPairs {
 public:
  AlignedPairs(const std::vector<FormSamples>& forms, const AlignmentOptions& options)
      : forms_(forms), options_(options) {
    const auto n = static_cast<Eigen::Index>(forms.size());
    distances_ = RowMatrix<double>::Constant(n, n, infinity);
    distances_.diagonal().setZero();
  }

  void align_all(const std::vector<FormPair>& pairs, const Execution& execution) {
    parallel_for(pairs.size(), execution, "aligning forms", [&](std::size_t k, int) {
      const auto [i, j] = pairs[k];
      distances_(i, j) = distances_(j, i) = align(forms_[i], forms_[j], options_).distance;
    });
    count_ += static_cast<std::int64_t>(pairs.size());
  }

  const RowMatrix<double>& distances() const { return distances_; }
  std::int64_t count() const { return count_; }

 private:
  const std::vector<FormSamples>& forms_;
  const AlignmentOptions& options_;
  RowMatrix<double> distances_;
  std::int64_t count_ = 0;
};

/// Replaces infinite distances by estimates that leave the nearest of every form an aligned one.
void estimate_others(RowMatrix<double>& distances, const RowMatrix<double>& signatures, double typical) {
  const Eigen::Index n = distances.rows();
  Vector nearest = Vector::Constant(n, infinity);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (i != j) nearest[i] = std::min(nearest[i], distances(i, j));
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < n; ++j)
      if (distances(i, j) == infinity)
        distances(i, j) =
            std::max(typical * signatures(i, j), std::nextafter(std::max(nearest[i], nearest[j]), infinity));
}

}  // namespace

ShapeDistances shape_distances(const std::vector<RowMatrix<double>>& forms,
                               const ShapeDistanceOptions& options, const Execution& execution) {
  const std::vector<FormSamples> samples = sample_forms(forms, options, execution);
  const auto n = static_cast<Index>(forms.size());
  const Index automatic =
      n > ShapeDistanceOptions::all_pairs_up_to ? ShapeDistanceOptions::many_candidates : 0;
  const Index candidates = options.candidates.value_or(automatic);
  ShapeDistances result;
  result.estimated = RowMatrix<bool>::Constant(n, n, false);
  if (n == 0) return result;
  result.scale = 0;
  for (const FormSamples& one : samples) result.scale += one.radius() / static_cast<double>(n);

  const RowMatrix<double> signatures = signature_distances(samples);
  AlignedPairs pairs(samples, options.alignment);
  pairs.align_all(nearest_pairs(signatures, candidates > 0 ? candidates : n), execution);
  if (candidates > 0) {
    const SignatureScale scale = signature_scale(signatures, pairs.distances());
    pairs.align_all(doubtful_pairs(signatures, pairs.distances(), scale, candidates), execution);
  }
  result.aligned_pairs = pairs.count();
  result.distances = pairs.distances() / result.scale;
  result.estimated = (result.distances.array() == infinity).matrix();
  // After the division, which could make a distance equal to that of the nearest.
  const double typical = signature_scale(signatures, pairs.distances()).typical / result.scale;
  estimate_others(result.distances, signatures, typical);
  return result;
}

}  // namespace geodome::internal
