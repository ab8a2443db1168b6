#pragma once
/// How landmarks are chosen, and how the distances between them are stored.

#include <cstdint>
#include <utility>
#include <vector>

#include "geodome/base/types.h"

namespace geodome {

enum class LandmarkMethod { farthest, random, user };

struct LandmarkOptions {
  LandmarkOptions() = default;
  /// A number is a number of farthest points: `{.landmarks = 500}`.
  LandmarkOptions(Index how_many) : count(how_many) {}
  LandmarkOptions(LandmarkMethod by, Index how_many, std::uint64_t by_seed, std::vector<Index> these)
      : method(by), count(how_many), seed(by_seed), vertices(std::move(these)) {}
  bool operator==(const LandmarkOptions&) const = default;

  LandmarkMethod method = LandmarkMethod::farthest;
  Index count = 1000;           ///< not used with LandmarkMethod::user
  std::uint64_t seed = 0;       ///< the first landmark of each component (farthest), or all of them (random)
  std::vector<Index> vertices;  ///< the landmarks, with LandmarkMethod::user
  bool or_all = false;  ///< where there are fewer than `count` vertices at distinct places, take them all
};

/// Bytes per distance: four, two (multiples of a step, about 1/65,535 of the largest distance of the
/// component) or eight.
enum class Precision { float32, uint16, float64 };

/// A landmark at which the solver failed.
struct ReplacedLandmark {
  Index before = 0;  ///< vertices
  Index after = 0;
};

}  // namespace geodome
