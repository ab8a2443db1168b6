#include "geodome/matrix/landmark_storage.h"

#include <algorithm>
#include <utility>

namespace geodome::internal {

LandmarkStorage store_landmarks(OrderedLandmarks landmarks, LandmarkDistances W) {
  LandmarkStorage storage{std::move(landmarks.vertices), std::move(landmarks.component_first),
                          std::move(landmarks.component), std::move(W)};
  const auto& labels = storage.component;
  if (std::all_of(labels.begin(), labels.end(), [](Index label) { return label == 0; }))
    storage.component = {};
  return storage;
}

LandmarkArrays view(const LandmarkStorage& storage) {
  LandmarkArrays arrays;
  arrays.landmark = storage.landmark;
  arrays.component_first = storage.component_first;
  arrays.component = storage.component;
  arrays.W = storage.W.values;
  arrays.step = storage.W.step;
  arrays.spacing = storage.W.spacing;
  return arrays;
}

}  // namespace geodome::internal
