#pragma once
/// Which faces a collapse may leave behind.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cmath>

namespace geodome::internal {

/// Of a triangle.
struct Corners : std::array<Eigen::Vector3d, 3> {
  Eigen::Vector3d doubled_area_normal() const { return (at(1) - at(0)).cross(at(2) - at(0)); }
  /// 1 for an equilateral triangle, 0 for a flat one.
  double quality(const Eigen::Vector3d& normal) const {
    const double edges =
        (at(1) - at(0)).squaredNorm() + (at(2) - at(1)).squaredNorm() + (at(0) - at(2)).squaredNorm();
    return edges > 0 ? 2 * std::sqrt(3.0) * normal.norm() / edges : 0;
  }
};

/// Whether a collapse may move a corner of a triangle so: the normal turns by at most 78 degrees, and the
/// triangle becomes no thinner than a quality of 0.05, unless it was thinner before.
inline bool stays_sound(const Corners& before, const Corners& after) {
  constexpr double least_normal_cosine = 0.2, least_quality = 0.05;
  const Eigen::Vector3d old_normal = before.doubled_area_normal(), normal = after.doubled_area_normal();
  if (old_normal.dot(normal) < least_normal_cosine * old_normal.norm() * normal.norm()) return false;
  const double quality = after.quality(normal);
  return quality >= least_quality || quality > before.quality(old_normal);
}

}  // namespace geodome::internal
