#pragma once
/// The creature's body, stretched out straight, as the zero set of a smooth function: negative inside.

#include <Eigen/Core>

namespace geodome::internal {

/// Head towards +x, tail towards -x, left towards +y, back towards +z; the neck and tail lie on the x axis.
class CreatureField {
 public:
  struct Sample {
    double value;
    Eigen::Vector3d gradient;
  };

  /// Roughly the signed distance: the gradient is at most of length one.
  Sample operator()(const Eigen::Vector3d& point) const;

  /// The nearest point on the surface along the gradient, for points close to it.
  Eigen::Vector3d project(Eigen::Vector3d point) const;

  static constexpr double area = 5.1;  ///< of the surface, about
  static Eigen::Vector3d low() { return {-2.35, -0.52, -0.85}; }
  static Eigen::Vector3d high() { return {2.1, 0.52, 0.55}; }
};

}  // namespace geodome::internal
