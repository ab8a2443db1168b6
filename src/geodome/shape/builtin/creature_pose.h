#pragma once
/// How the creature moves: the body stretched out straight is bent along its spine and its legs.

#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Turns the spine, from `from` to `to` along the stretched body's x axis, smoothly by these angles in
/// degrees as x grows. Positive pitch bends the ends up, positive yaw bends the front left.
struct Bend {
  double from = 0, to = 0;
  double pitch = 0, yaw = 0;
};

/// Degrees; positive swings the foot forwards.
struct LegSwing {
  double hip = 0, knee = 0;
};

struct CreaturePose {
  const char* name;
  std::vector<Bend> bends;
  LegSwing legs[4];  ///< front left, front right, hind left, hind right
  double rise = 0;   ///< the whole body, degrees, head up
};

/// All poses, the first one at rest.
const std::vector<CreaturePose>& creature_poses();

/// The stretched body's points, #V by 3, in the given pose. Lengths stay as they are along each leg's middle
/// and along the body towards the inner side of its bends; the skin at distance r from there stretches by r
/// times the curvature. So bends are where the body is thin.
Points bend_creature(const Points& stretched, const CreaturePose& pose);

}  // namespace geodome::internal
