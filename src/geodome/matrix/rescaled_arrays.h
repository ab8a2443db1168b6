#pragma once
/// The arrays of a matrix P W Pᵀ with all distances multiplied by a unit.

#include <memory>
#include <utility>
#include <vector>

#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// Steps and spacings that were multiplied, and the owner of the other arrays.
struct RescaledStorage {
  std::vector<double> step;
  std::vector<double> spacing;
  std::shared_ptr<const void> owner;
};

/// `Arrays` are those of a sparse or of a dense P.
template <typename Arrays>
Arrays rescaled(Arrays arrays, double unit) {
  auto storage = std::make_shared<RescaledStorage>();
  LandmarkArrays& landmarks = arrays.landmarks;
  storage->spacing.assign(landmarks.spacing.begin(), landmarks.spacing.end());
  storage->step.assign(landmarks.step.begin(), landmarks.step.end());
  if (storage->step.empty()) storage->step.assign(storage->spacing.size(), 1);
  for (std::vector<double>* numbers : {&storage->step, &storage->spacing})
    for (double& number : *numbers) number *= unit;
  storage->owner = std::move(arrays.owner);
  landmarks.step = storage->step;
  landmarks.spacing = storage->spacing;
  arrays.owner = std::move(storage);
  return arrays;
}

}  // namespace geodome::internal
