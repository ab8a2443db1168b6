#pragma once
/// The creature: a smooth closed body of genus zero with head, neck, tail and four legs, in poses that bend
/// it nearly isometrically: the same vertices and triangles in every pose, and nearly the same geodesic
/// distances.

#include <string>

#include "geodome/base/execution.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The creature's skin, stretched out; poses bend it.
struct Creature {
  TriangleMesh stretched;
};

inline constexpr Index fewest_creature_vertices = 200;

/// Any number of vertices from fewest_creature_vertices on; from 12,000 on the count may differ from the
/// requested one by a few. Deterministic. Cost: linear; about a second for 60,000 vertices. Throws InputError
/// for fewer vertices than that.
Creature make_creature(Index vertices, const Execution& execution = {});

/// Number of poses.
int creature_pose_count();

/// "standing", "walking" …
std::string creature_pose_name(int pose);

/// The creature in a numbered pose, the mean of its vertices at the origin, about 4 long; z points up, the
/// head to +x. Throws InputError for a pose that does not exist.
TriangleMesh pose_creature(const Creature& creature, int pose);

/// #V by 3: what it looks like, the same in every pose.
Colours creature_colours(const Creature& creature);

}  // namespace geodome::internal
