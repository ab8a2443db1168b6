#include "geodome/geodesic/star.h"

#include <algorithm>
#include <cmath>

namespace geodome {
namespace {

/// In typical edges: batches see no source closer by (batched_marching.cpp).
constexpr float nearest_source = 2;

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
      stars_.neighbours.push_back({vertex, edge, std::numeric_limits<float>::infinity()});
    }
    Neighbouring& neighbour = stars_.neighbours[first_ + place_[vertex]];
    neighbour.edge = std::min(neighbour.edge, edge);
    return place_[vertex];
  }

  /// Of a vertex that was entered.
  void lower_gain(Index vertex, float gain) {
    float& least = stars_.neighbours[first_ + place_[vertex]].gain;
    least = std::min(least, gain);
  }

  std::int64_t size() const { return static_cast<std::int64_t>(stars_.neighbours.size()); }

 private:
  Stars& stars_;
  std::vector<Index> place_;
  std::int64_t first_ = 0;
};

/// How much later than at one end of a chord, `edge` away from the target, a path across it arrives there at
/// least. From the target it is seen between the two ends: the farther from this one, the less. Sources are
/// at least `nearest` away.
float least_gain(float edge, float other_edge, float length, float nearest) {
  const float product = edge * other_edge;
  if (!(product > 0)) return 0;
  const float cosine = (edge * edge + other_edge * other_edge - length * length) / (2 * product);
  const float sine_squared = 1 - std::min(1.0f, cosine * cosine);
  // The law of cosines: from far away, paths are parallel and this is the first term alone.
  return std::max(0.0f, edge * cosine - edge * edge * sine_squared / nearest);
}

/// What a vertex adds at least to what it offers through one of its fans.
void find_gains(const Stencil& stencil, const Fan& fan, Places& places) {
  const float nearest = nearest_source * stencil.typical_edge;
  for (int slot = 0; slot < fan.used; ++slot) {
    places.lower_gain(fan.neighbour[slot], fan.edge[slot]);
    for (int layer = 0; layer < Fan::layers; ++layer) {
      if (!fan.has_ray(layer, slot)) continue;
      const Ray ray = fan.ray(layer, slot);
      places.lower_gain(
          fan.neighbour[slot],
          least_gain(std::hypot(ray.x, ray.y), std::hypot(ray.length - ray.x, ray.y), ray.length, nearest));
    }
  }
}

}  // namespace

Stars make_stars(const Stencil& stencil) {
  constexpr float none = std::numeric_limits<float>::infinity();
  Stars stars;
  stars.begin.reserve(stencil.vertices + 1);
  stars.chords.reserve(stencil.chords.size());
  stars.neighbours.reserve(stencil.chords.size() + stencil.vertices);
  Places places(stars, stencil.vertices);
  for (Index v = 0; v < stencil.vertices; ++v) {
    stars.begin.push_back({places.size(), static_cast<std::int64_t>(stars.chords.size())});
    for (auto c = stencil.chord_offsets[v]; c < stencil.chord_offsets[v + 1]; ++c) {
      const Chord& chord = stencil.chords[c];
      const Index a = places.of(chord.a, chord.from_a), b = places.of(chord.b, chord.from_b);
      if (chord.length > 0)
        stars.chords.push_back({a, b, chord.length, chord.half_inverse, chord.x, chord.y,
                                chord.x / chord.from_a, (chord.length - chord.x) / chord.from_b});
    }
    stars.most_chords =
        std::max(stars.most_chords, static_cast<std::int64_t>(stars.chords.size()) - stars.begin[v].chord);
    // Long strips of faces may unfold one way only: whoever is offered something from here must hear of it.
    for (Index f = v; f >= 0; f = stencil.fans[f].next)
      for (const Index neighbour : stencil.fans[f].neighbour)
        if (neighbour != v) places.of(neighbour, none);
    for (Index f = v; f >= 0; f = stencil.fans[f].next) find_gains(stencil, stencil.fans[f], places);
    places.next_target();
  }
  stars.begin.push_back({places.size(), static_cast<std::int64_t>(stars.chords.size())});
  return stars;
}

}  // namespace geodome
