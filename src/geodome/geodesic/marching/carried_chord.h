#pragma once
/// What marching with a carried source updates a vertex across.

#include "geodome/base/types.h"

namespace geodome::internal {

/// A chord between a and b in front of its target. Directions at a vertex are those of HalfEdges.
struct CarriedChord {
  /// Weight of the carried source against the one fitted to the two distances: the best of a sweep over
  /// scans, a folded cortex and subdivisions of it, and flat between 0.7 and 0.9.
  static constexpr float carried_weight = 0.8f;
  /// A fitted distance this many chords beyond the target's own makes no better one likely.
  static constexpr float hopeless = 0.25f;

  Index target = 0;
  Index a = 0;
  Index b = 0;
  float from_a = 0;  ///< |a target|
  float from_b = 0;
  float angle = 0;  ///< at the target, from a to b
  float cosine = 1;
  float sine = 0;
  float target_at_a = 0;  ///< direction of the target at a
  float target_at_b = 0;
  float turn_a = 1;       ///< 1 or -1: the sign of directions at a when turning from the target towards b
  float turn_b = 1;       ///< the same at b, towards a
  float a_at_target = 0;  ///< direction of a at the target
  float turn_target = 1;  ///< the same at the target, from a towards b
  /// The chord with a at (0, 0), b at (length, 0), the target at (x, y). Length 0: only its two edges count.
  float length = 0;
  float half_inverse = 0;  ///< 1 / (2 length)
  float x = 0;
  float y = 0;
};

}  // namespace geodome::internal
