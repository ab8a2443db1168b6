#include "geodome/geodesic/star.h"

#include <algorithm>

namespace geodome {
namespace {

/// Finds the place of a vertex among the neighbours of one target at a time.
class Places {
 public:
  explicit Places(Stars& stars, Index vertices) : stars_(stars), place_(vertices, -1) {}

  void next_target() {
    for (std::int64_t i = first_; i < size(); ++i) place_[stars_.neighbours[i].vertex] = -1;
    stars_.most_neighbours = std::max(stars_.most_neighbours, size() - first_);
    first_ = size();
  }

  /// Enters the vertex unless it is there; its edge becomes the shorter one.
  Index of(Index vertex, float edge) {
    if (place_[vertex] < 0) {
      place_[vertex] = static_cast<Index>(size() - first_);
      stars_.neighbours.push_back({vertex, edge});
    }
    Neighbouring& neighbour = stars_.neighbours[first_ + place_[vertex]];
    neighbour.edge = std::min(neighbour.edge, edge);
    return place_[vertex];
  }

  std::int64_t size() const { return static_cast<std::int64_t>(stars_.neighbours.size()); }

 private:
  Stars& stars_;
  std::vector<Index> place_;
  std::int64_t first_ = 0;
};

}  // namespace

Stars make_stars(const Stencil& stencil) {
  constexpr float none = std::numeric_limits<float>::infinity();
  Stars stars;
  stars.neighbour_offsets.reserve(stencil.vertices + 1);
  stars.chord_offsets.reserve(stencil.vertices + 1);
  stars.chords.reserve(stencil.chords.size());
  stars.neighbours.reserve(stencil.chords.size() + stencil.vertices);
  Places places(stars, stencil.vertices);
  for (Index v = 0; v < stencil.vertices; ++v) {
    stars.neighbour_offsets.push_back(places.size());
    stars.chord_offsets.push_back(static_cast<std::int64_t>(stars.chords.size()));
    for (auto c = stencil.chord_offsets[v]; c < stencil.chord_offsets[v + 1]; ++c) {
      const Chord& chord = stencil.chords[c];
      const Index a = places.of(chord.a, chord.from_a), b = places.of(chord.b, chord.from_b);
      if (chord.length > 0)
        stars.chords.push_back({a, b, chord.length, chord.half_inverse, chord.x, chord.y});
    }
    // Long strips of faces may unfold one way only: whoever is offered something from here must hear of it.
    for (Index f = v; f >= 0; f = stencil.fans[f].next)
      for (const Index neighbour : stencil.fans[f].neighbour)
        if (neighbour != v) places.of(neighbour, none);
    places.next_target();
  }
  stars.neighbour_offsets.push_back(places.size());
  stars.chord_offsets.push_back(static_cast<std::int64_t>(stars.chords.size()));
  return stars;
}

}  // namespace geodome
