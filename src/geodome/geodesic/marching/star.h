#pragma once
/// The stencil as batches of sources read it: by target.

#include "geodome/geodesic/marching/stencil.h"

namespace geodome::internal {

/// A chord as its target sees it: a at (0, 0), b at (length, 0), the target at (x, y).
struct StarChord {
  int a = 0;  ///< slots of its ends
  int b = 0;
  float length = 0;
  float x = 0;
  float y = 0;
};

/// What one target sees, or a part of it, in six cache lines. Its neighbours are those of its fan; one at the
/// end of two straight connections of different lengths has two slots.
struct alignas(64) Star {
  static constexpr int slots = 16;
  static constexpr int most_chords = 16;
  static constexpr float unit = 1.0f / 32767;  ///< of cosine and sine
  Index neighbour[slots];                      ///< unused slots, all at the end, hold the target itself
  float edge[slots];                           ///< the straight connection; 1 in unused slots
  float gain[slots];            ///< what the neighbour is offered from the target is at least so much
                                ///< farther away; infinite if another slot says it
  std::uint8_t a[most_chords];  ///< of chords, the slots of their ends
  std::uint8_t b[most_chords];
  float length[most_chords];         ///< 1 where there is no chord
  std::int16_t cosine[most_chords];  ///< of the angle at a, between the chord and the target
  std::int16_t sine[most_chords];
  std::int32_t used;    ///< slots
  std::int32_t chords;  ///< how many
  std::int32_t next;    ///< the star with the target's further chords, or -1

  StarChord chord(int c) const {
    const float scale = edge[a[c]] * unit;
    return {a[c], b[c], length[c], static_cast<float>(cosine[c]) * scale,
            static_cast<float>(sine[c]) * scale};
  }
};
static_assert(sizeof(Star) == 384);

/// Vertex v starts with star v.
using Stars = UntouchedLargeVector<Star>;

/// Cost: O(#chords) time, about 0.4 kilobytes per vertex.
Stars make_stars(const Stencil& stencil, const Execution& execution = {1, {}});

/// The same in place of the chords by target: each block of them is released as soon as it has been read.
Stars replace_chords_by_stars(Stencil& stencil, const Execution& execution);

}  // namespace geodome::internal
