#pragma once
/// The components of a matrix as lists.

#include <algorithm>
#include <vector>

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

}  // namespace geodome::internal
