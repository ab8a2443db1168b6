#include "geodome/comparison/shape_distances.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

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

}  // namespace

ShapeDistances shape_distances(const std::vector<RowMatrix<double>>& forms,
                               const ShapeDistanceOptions& options, const Execution& execution) {
  const std::vector<FormSamples> samples = sample_forms(forms, options, execution);
  const auto n = static_cast<Eigen::Index>(forms.size());
  ShapeDistances result;
  result.distances = RowMatrix<double>::Zero(n, n);
  if (n == 0) return result;
  result.scale = 0;
  for (const FormSamples& one : samples) result.scale += one.radius() / static_cast<double>(n);
  std::vector<std::pair<Eigen::Index, Eigen::Index>> pairs;
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index j = 0; j < i; ++j) pairs.emplace_back(i, j);
  parallel_for(pairs.size(), execution, "aligning forms", [&](std::size_t k, int) {
    const auto [i, j] = pairs[k];
    result.distances(i, j) = result.distances(j, i) =
        align(samples[i], samples[j], options.alignment).distance / result.scale;
  });
  return result;
}

}  // namespace geodome::internal
