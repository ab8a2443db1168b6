#pragma once
/// The stencil as batches of sources read it: by target, every vertex around it once.

#include "geodome/geodesic/stencil.h"

namespace geodome {

/// A vertex around a target: the end of one of its chords, or the target of a chord that ends in it.
struct Neighbouring {
  Index vertex = 0;
  float edge = 0;  ///< the shortest straight connection to the target; infinite where it has none
  float gain =
      0;  ///< what it is offered from the target is at least so much farther away; infinite if nothing
};

/// A chord as in Chord, its ends given by their places among the target's neighbours.
struct StarChord {
  Index a = 0;
  Index b = 0;
  float length = 0;
  float half_inverse = 0;
  float x = 0;
  float y = 0;
  float cosine_a = 0;  ///< of the angle at a, between the chord and the target
  float cosine_b = 0;
};

/// What one target sees.
struct Star {
  const Neighbouring* neighbours = nullptr;
  std::int64_t neighbour_count = 0;
  const StarChord* chords = nullptr;
  std::int64_t chord_count = 0;
};

struct Stars {
  /// Where a star begins.
  struct Begin {
    std::int64_t neighbour = 0;
    std::int64_t chord = 0;
  };
  LargeVector<Begin> begin;  ///< by vertex, and one more
  LargeVector<Neighbouring> neighbours;
  LargeVector<StarChord> chords;  ///< without those of length 0
  std::int64_t most_neighbours = 0;
  std::int64_t most_chords = 0;

  Star of(Index vertex) const {
    const Begin first = begin[vertex], next = begin[vertex + 1];
    return {neighbours.data() + first.neighbour, next.neighbour - first.neighbour,
            chords.data() + first.chord, next.chord - first.chord};
  }
};

/// Cost: O(#chords) time, about 0.55 kilobytes per vertex.
Stars make_stars(const Stencil& stencil);

}  // namespace geodome
