#include "geodome/geodesic/marching/star.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

/// In typical edges: batches see no source closer by (batched_marching.cpp).
constexpr float nearest_source = 2;

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

/// Fills the stars of one target at a time.
class StarMaker {
 public:
  StarMaker(const Stencil& stencil, PageBlock<Star>& stars) : stencil_(stencil), stars_(stars) {}

  void make(Index target) {
    target_ = star_ = target;
    clear();
    for (const Chord& chord : stencil_.chords_of(target)) add_chord(chord);
    for (Index f = target; f >= 0; f = stencil_.fans[f].next) add_gains(stencil_.fans[f]);
  }

 private:
  void clear() {
    Star& star = stars_[star_];
    std::fill_n(star.neighbour, Star::slots, target_);
    std::fill_n(star.edge, Star::slots, 1.0f);
    std::fill_n(star.gain, Star::slots, std::numeric_limits<float>::infinity());
    std::fill_n(star.a, Star::most_chords, std::uint8_t{0});
    std::fill_n(star.b, Star::most_chords, std::uint8_t{0});
    std::fill_n(star.length, Star::most_chords, 1.0f);
    std::fill_n(star.cosine, Star::most_chords, std::int16_t{0});
    std::fill_n(star.sine, Star::most_chords, std::int16_t{0});
    star.used = star.chords = 0;
    star.next = -1;
  }

  void continue_in_new_star() {
    star_ = stars_.add_after(star_);
    clear();
  }

  int slot_of(Index neighbour, float edge) {
    Star& star = stars_[star_];
    const int slot = find_slot(star, neighbour, edge);
    if (slot == star.used) {
      star.neighbour[slot] = neighbour;
      star.edge[slot] = edge;
      ++star.used;
    }
    return slot;
  }

  void add_chord(const Chord& chord) {
    const Star& last = stars_[star_];
    const int missing = (find_slot(last, chord.a, chord.from_a) == last.used) +
                        (find_slot(last, chord.b, chord.from_b) == last.used);
    if (last.used + missing > Star::slots || last.chords == Star::most_chords) continue_in_new_star();
    const int a = slot_of(chord.a, chord.from_a), b = slot_of(chord.b, chord.from_b);
    if (!(chord.length > 0)) return;
    Star& star = stars_[star_];
    const int c = star.chords++;
    star.a[c] = static_cast<std::uint8_t>(a);
    star.b[c] = static_cast<std::uint8_t>(b);
    star.length[c] = chord.length;
    const auto [cosine, sine] = direction_of(chord.x, chord.y);
    star.cosine[c] = cosine;
    star.sine[c] = sine;
  }

  /// What the target adds at least to what it offers through one of its fans.
  void add_gains(const Fan& fan) {
    const float nearest = nearest_source * stencil_.typical_edge;
    for (int slot = 0; slot < fan.used; ++slot) {
      float gain = fan.edge[slot];
      for (int layer = 0; layer < Fan::layers; ++layer) {
        if (!fan.has_ray(layer, slot)) continue;
        const Ray ray = fan.ray(layer, slot);
        const float across = std::sqrt((ray.length - ray.x) * (ray.length - ray.x) + ray.y * ray.y);
        gain = std::min(gain, least_gain(fan.edge[slot], across, ray.length, nearest));
      }
      float& least = gain_along(fan.neighbour[slot], fan.edge[slot]);
      least = std::min(least, gain);
    }
  }

  /// The gain of a connection, which is added unless the target has it.
  float& gain_along(Index neighbour, float edge) {
    for (Index s = target_; s >= 0; s = stars_[s].next) {
      const int slot = find_slot(stars_[s], neighbour, edge);
      if (slot < stars_[s].used) return stars_[s].gain[slot];
    }
    if (stars_[star_].used == Star::slots) continue_in_new_star();
    const int slot = slot_of(neighbour, edge);
    return stars_[star_].gain[slot];
  }

  const Stencil& stencil_;
  PageBlock<Star>& stars_;
  Index target_ = 0;
  Index star_ = 0;  // the target's last one
};

/// Calls done(block) after each.
template <typename Done>
Stars make_stars_of(const Stencil& stencil, const Execution& execution, const Done& done) {
  Stars stars = make_pages<Star>(stencil.vertices);
  std::vector<PageBlock<Star>> blocks(stencil.chord_blocks.size(), PageBlock<Star>(stars, stencil.vertices));
  parallel_for(blocks.size(), {execution.threads, {}}, {}, [&](std::size_t item, int) {
    const Index first = static_cast<Index>(item) * vertices_per_stencil_block;
    StarMaker maker(stencil, blocks[item]);
    for (Index v = first; v < std::min(stencil.vertices, first + vertices_per_stencil_block); ++v)
      maker.make(v);
    done(item);
  });
  join(stars, blocks);
  return stars;
}

}  // namespace

Stars make_stars(const Stencil& stencil, const Execution& execution) {
  return make_stars_of(stencil, execution, [](std::size_t) {});
}

Stars replace_chords_by_stars(Stencil& stencil, const Execution& execution) {
  Stars stars =
      make_stars_of(stencil, execution, [&](std::size_t block) { stencil.chord_blocks[block].release(); });
  stencil.forget_chords();
  return stars;
}

}  // namespace geodome::internal
