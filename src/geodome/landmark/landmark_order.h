#pragma once
/// The order in which a matrix keeps its landmarks.

#include <span>
#include <vector>

#include "geodome/geodesic/adjacency.h"

namespace geodome::internal {

/// Landmarks by component, so that W is one block per component; within it along the shape: the cells of the
/// landmarks are halved again and again, each half a connected region as far as possible. Neighbours then
/// have near positions, so that the landmarks a vertex draws on lie in few runs of a row of W.
struct OrderedLandmarks {
  std::vector<Index> vertices;         ///< #landmarks
  std::vector<Index> component_first;  ///< #components + 1: positions in `vertices`
  std::vector<Index> component;        ///< #V, -1 where unreferenced
  std::vector<Index> cell;             ///< #V: the nearest landmark as a position in `vertices`, or -1
  /// #V: the distance to it along edges; empty where the distances do not belong to these edges.
  std::vector<float> reach{};
};

/// Cost: O(#E log #V + #landmarks log² #landmarks). Throws InputError when a landmark is out of range,
/// repeated or unreferenced, or a component has none.
OrderedLandmarks order_landmarks(const Adjacency& adjacency, std::span<const Index> landmarks);

}  // namespace geodome::internal
