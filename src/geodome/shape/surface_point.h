#pragma once
/// A point on a shape that need not be a vertex.

#include <array>

#include "geodome/base/types.h"

namespace geodome {

/// Barycentric coordinates: Σ weight[k] · vertex[k], the weights summing to one. A vertex of weight zero does
/// not matter.
struct SurfacePoint {
  std::array<Index, 3> vertex{};
  std::array<double, 3> weight{1, 0, 0};

  SurfacePoint(std::array<Index, 3> corners, std::array<double, 3> weights)
      : vertex(corners), weight(weights) {}
  /// A vertex is a point too.
  explicit SurfacePoint(Index at) : vertex{at, at, at} {}
  bool operator==(const SurfacePoint&) const = default;
};

}  // namespace geodome
