#pragma once
/// The landmarks and W of a matrix made in memory.

#include "geodome/landmark/landmark_distances.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

struct LandmarkStorage {
  std::vector<Index> landmark, component_first, component;
  LandmarkDistances W;
};

/// Drops the component labels where all vertices are in one component: they would say nothing.
LandmarkStorage store_landmarks(OrderedLandmarks landmarks, LandmarkDistances W);

/// The storage must outlive the view.
LandmarkArrays view(const LandmarkStorage& storage);

}  // namespace geodome::internal
