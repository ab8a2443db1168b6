#pragma once
/// Distances across a geodesic triangle laid into the plane.

#include <array>

namespace geodome::internal {

/// From a point to the three corners of a triangle.
using CornerDistances = std::array<double, 3>;

/// A triangle by its sides, side k opposite corner k, and what of it both points of a pair need. The sides
/// may break the triangle inequality by rounding, be zero or be equal to each other.
class PlaneTriangle {
 public:
  explicit PlaneTriangle(const std::array<double, 3>& sides);

  /// Twice the area over the square of the longest side: 0.87 for equal sides, 0 where it is none.
  double roundness() const { return roundness_; }

  /// The weights by which the corners make up the point with these distances: they sum to one, and all are
  /// positive inside. Not a number where the triangle is none.
  std::array<double, 3> weights(const CornerDistances& point) const;

  /// Between two points of the surface that are known by their distances to the corners, by unfolding:
  /// - across each side both are laid out by their distances to its ends, on the side of it where the
  ///   distance to the third corner fits, and joined by a straight line;
  /// - such lines count that cross their side between its ends: a path there is possible; the least is taken;
  /// - where none does (both points inside, or one beyond the border of the surface's triangulation) the
  ///   three lie in one plane together, and the middle one of the lines is taken.
  /// In any case no more than the way over a corner, and no less than the triangle inequality allows. Exact
  /// where the triangle and the way between the points are flat. Cost: O(1), some ten roots.
  double distance(const CornerDistances& p, const CornerDistances& q) const;

 private:
  struct Place {
    double x, y;
  };
  Place place(int side, const CornerDistances& point) const;

  std::array<double, 3> length_;
  std::array<double, 3> apex_x_;  ///< of corner k over side k, from its first end
  std::array<double, 3> apex_y_;
  double roundness_ = 0;
};

}  // namespace geodome::internal
