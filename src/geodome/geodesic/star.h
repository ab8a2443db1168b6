#pragma once
/// The stencil as batches of sources read it: by target, every vertex around it once.

#include "geodome/geodesic/stencil.h"

namespace geodome {

/// A vertex around a target: the end of one of its chords, or the target of a chord that ends in it.
struct Neighbouring {
  Index vertex = 0;
  float edge = 0;  ///< the shortest straight connection to the target; infinite where it has none
};

/// A chord as in Chord, its ends given by their places among the target's neighbours.
struct StarChord {
  Index a = 0;
  Index b = 0;
  float length = 0;
  float half_inverse = 0;
  float x = 0;
  float y = 0;
};

/// What one target sees.
struct Star {
  const Neighbouring* neighbours = nullptr;
  std::int64_t neighbour_count = 0;
  const StarChord* chords = nullptr;
  std::int64_t chord_count = 0;
};

struct Stars {
  std::vector<std::int64_t> neighbour_offsets;  ///< by vertex, and one more
  LargeVector<Neighbouring> neighbours;
  std::vector<std::int64_t> chord_offsets;  ///< by vertex, and one more
  LargeVector<StarChord> chords;            ///< without those of length 0
  std::int64_t most_neighbours = 0;

  Star of(Index vertex) const {
    const auto neighbour = neighbour_offsets[vertex], chord = chord_offsets[vertex];
    return {neighbours.data() + neighbour, neighbour_offsets[vertex + 1] - neighbour, chords.data() + chord,
            chord_offsets[vertex + 1] - chord};
  }
};

/// Cost: O(#chords) time, about 0.4 kilobytes per vertex.
Stars make_stars(const Stencil& stencil);

}  // namespace geodome
