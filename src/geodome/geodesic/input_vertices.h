#pragma once
/// The way back from a surface's vertices to the input's, for balls around a vertex.

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

class InputVertices {
 public:
  explicit InputVertices(const Surface& surface) : first_(surface.points.rows() + 1, 0) {
    for (const Index v : surface.of_input)
      if (v >= 0) ++first_[v + 1];
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    inputs_.resize(first_.back());
    std::vector<Index> place(first_.begin(), first_.end() - 1);
    for (Index input = 0; input < static_cast<Index>(surface.of_input.size()); ++input)
      if (surface.of_input[input] >= 0) inputs_[place[surface.of_input[input]]++] = input;
  }

  /// The input vertices of those surface vertices among `reached` whose distance(v), in input units, is at
  /// most the radius, nearest first. Cost: O(k log k) for k of them.
  template <typename Distance>
  std::vector<Neighbour> within(std::span<const Index> reached, double radius,
                                const Distance& distance) const {
    std::vector<Neighbour> found;
    for (const Index v : reached) {
      const double here = distance(v);
      if (here > radius) continue;
      for (Index i = first_[v]; i < first_[v + 1]; ++i) found.push_back({inputs_[i], here});
    }
    std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
      return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
    });
    return found;
  }

 private:
  std::vector<Index> first_;   ///< #S + 1
  std::vector<Index> inputs_;  ///< of each surface vertex, increasing
};

}  // namespace geodome::internal
