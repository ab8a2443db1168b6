#pragma once
/// What maps share: the components of a matrix as lists, and weights of vertices.

#include <algorithm>
#include <span>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// The vertices of each component, increasing. Vertices without one are in none.
inline std::vector<std::vector<Index>> component_members(const DistanceMatrix& matrix,
                                                         const Execution& execution = {}) {
  const std::vector<Index> label = matrix.component_labels(execution);
  std::vector<std::vector<Index>> members(
      static_cast<std::size_t>(label.empty() ? 0 : *std::max_element(label.begin(), label.end()) + 1));
  for (Index v = 0; v < static_cast<Index>(label.size()); ++v)
    if (label[v] >= 0) members[label[v]].push_back(v);
  return members;
}

/// The weights as they are, or ones where there are none. Throws InputError on another number than `size`,
/// and on weights that are negative or not finite.
inline std::vector<double> checked_weights(std::span<const double> weights, Index size) {
  if (weights.empty()) return std::vector<double>(static_cast<std::size_t>(size), 1.0);
  if (static_cast<Index>(weights.size()) != size)
    throw InputError(text(weights.size(), " weights for ", size, " vertices"));
  for (std::size_t v = 0; v < weights.size(); ++v)
    if (!(weights[v] >= 0 && weights[v] < infinity))
      throw InputError(
          text("the weight of vertex ", v, " is ", weights[v], ": weights must be finite and not negative"));
  return {weights.begin(), weights.end()};
}

}  // namespace geodome::internal
