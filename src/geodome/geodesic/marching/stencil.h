#pragma once
/// The stencil of fast marching: for every vertex, the chords a straight path may cross just before it
/// arrives there, each laid flat together with the vertex. Kimmel & Sethian 1998, "Computing geodesic paths
/// on manifolds" (unfolding); the update itself places a virtual source (Novotni & Klein 2002, "Computing
/// geodesic distances on triangular meshes").

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/large_pages.h"
#include "geodome/geodesic/marching/pages.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

/// A chord from a to b, laid flat with its target on one side of it: a at (0, 0), b at (length, 0), the
/// target at (x, y) with y >= 0. A chord that only carries the two straight connections has length 0.
struct Chord {
  Index a = 0;
  Index b = 0;
  Index target = 0;
  float length = 0;
  float x = 0;
  float y = 0;
  float from_a = 0;  ///< |a target|, straight through the triangles laid flat
  float from_b = 0;
};

/// A chord as one of its ends sees it: this end at (0, 0), the other at (length, 0), the target at (x, y).
struct Ray {
  int target = 0;  ///< its slot in the fan
  int other = 0;   ///< the slot of the chord's other end
  float length = 0;
  float x = 0;
  float y = 0;
};

/// A vertex's view of the chords that end in it, or of some of them: what one step of a march reads, in five
/// cache lines. Neighbours are all that a straight connection leads to: targets and other ends of these
/// chords, and ends of the vertex's own; one at the end of two connections of different lengths has two
/// slots. Every slot has room for two chords to its vertex, one in each layer.
struct alignas(64) Fan {
  static constexpr int slots = 16;
  static constexpr int layers = 2;
  static constexpr float unit = 1.0f / 32767;     ///< of x and y, in edges
  static constexpr std::int16_t no_ray = -32768;  ///< as x
  Index neighbour[slots];                         ///< unused slots, all at the end, hold the vertex itself
  float edge[slots];                              ///< the straight connection; 1 in unused slots
  std::uint8_t other[layers][slots];              ///< by layer and target, the slot of the chord's other end
  std::int16_t x[layers][slots];  ///< where the target is; 16 bits keep angles to 1e-3 degrees
  std::int16_t y[layers][slots];
  std::int32_t used;  ///< slots
  std::int32_t next;  ///< the fan with the vertex's further chords, or -1

  bool has_ray(int layer, int target) const { return x[layer][target] != no_ray; }
  Ray ray(int layer, int target) const {
    const int end = other[layer][target];
    const float scale = edge[target] * unit;
    return {target, end, edge[end], static_cast<float>(x[layer][target]) * scale,
            static_cast<float>(y[layer][target]) * scale};
  }
};
static_assert(sizeof(Fan) == 320);

/// The chords whose targets are the vertices of a block.
struct ChordBlock {
  std::vector<std::uint32_t> begin;  ///< of each vertex of the block, and the end
  LargeVector<Chord> chords;

  /// Empties it, and gives its memory back to the system at once, which `free` alone does not.
  void release();
};

struct Stencil {
  Index vertices = 0;
  /// Chords by target; none after `forget_chords`.
  std::vector<ChordBlock> chord_blocks;
  /// The same chords by end: vertex v starts with fan v.
  UntouchedLargeVector<Fan> fans;
  float typical_edge = 1;  ///< median length of the mesh's edges
  float longest = 0;       ///< longest straight connection of all

  std::span<const Chord> chords_of(Index target) const {
    const ChordBlock& block = chord_blocks[target / vertices_per_stencil_block];
    const Index v = target % vertices_per_stencil_block;
    return std::span(block.chords).subspan(block.begin[v], block.begin[v + 1] - block.begin[v]);
  }

  /// Those by target, and their memory.
  void forget_chords();
};

/// Whether two lengths are one, rounded differently. Infinite ones are.
inline bool same_length(float a, float b) {
  return a == b || std::abs(a - b) <= 1e-6f * b;
}

/// The slot of a neighbour along a connection of that length in a fan or a star, or the first one that is
/// free.
template <typename Page>
int find_slot(const Page& page, Index neighbour, float edge) {
  int slot = 0;
  while (slot < page.used && (page.neighbour[slot] != neighbour || !same_length(page.edge[slot], edge)))
    ++slot;
  return slot;
}

/// Cosine and sine of the direction to (x, y), in 1/32767.
struct PackedDirection {
  std::int16_t cosine = 0;
  std::int16_t sine = 0;
};
inline PackedDirection direction_of(float x, float y) {
  const auto nearest = [](float a) { return static_cast<std::int16_t>(a < 0 ? a - 0.5f : a + 0.5f); };
  const float squared = x * x + y * y;
  if (squared > 1e-30f) {
    const float scale = 32767 / std::sqrt(squared);
    return {nearest(x * scale), nearest(y * scale)};
  }
  // In single precision the squares of lengths below 1e-15 underflow.
  const double radius = std::hypot(static_cast<double>(x), static_cast<double>(y));
  if (!(radius > 0)) return {};
  return {nearest(static_cast<float>(32767 * x / radius)), nearest(static_cast<float>(32767 * y / radius))};
}

/// ring 1: the triangles around a vertex, obtuse corners split by unfolding across the opposite edge until a
/// vertex comes into view. ring 2: every corner is split by the vertex across the opposite edge, if that one
/// is in view. (Keeping the whole corners as well costs half as much time again, and brings nothing that
/// removing the bias does not.) Nothing is unfolded across an edge that has not
/// exactly two faces; corners without area contribute their edges only. Cost: O(#F log #F) time, about 0.7
/// kilobytes per vertex, 0.3 without the chords by target. Throws InputError when
/// ring is neither 1 nor 2.
Stencil make_stencil(const Surface& surface, int ring, const Execution& execution = {1, {}});

/// The distance at the target when it is `da` at a and `db` at b: places the source in the plane of the chord
/// and measures from there. Infinite when the straight path misses the chord. Never less than da or db, or
/// results would depend on the order of updates: what would arrive earlier arrives with the later end.
///
/// Together with the two straight connections this never falls when da or db rises, so corrections may come
/// late and in any order, as they do in batches: where the path crosses the chord both derivatives are
/// positive, and where it leaves the chord at an end it is the straight connection from there. (Refusing what
/// is too early would make it jump up when an end falls.) That takes da + db >= length, as distances from one
/// source have it: below that there is no source to place, and nothing is offered.
inline float virtual_source_distance(float da, float db, float length, float half_inverse, float x, float y) {
  const float source_x = ((da - db) * (da + db) + length * length) * half_inverse;
  const float height_squared = (da - source_x) * (da + source_x);
  if (!(height_squared >= 0)) return std::numeric_limits<float>::infinity();
  const float height = std::sqrt(height_squared);
  const float crossing = source_x * y + x * height, depth = height + y;
  if (!(crossing >= 0 && crossing <= length * depth)) return std::numeric_limits<float>::infinity();
  const float dx = x - source_x;
  const float distance = std::sqrt(dx * dx + depth * depth), later = da > db ? da : db;
  return distance > later ? distance : later;
}

/// Calls offer(target, distance) for everything a vertex at distance `from` has to offer, the straight
/// connections and the ways across chords, to all targets with wanted(target). known(vertex) is the distance
/// of the other end of a chord, infinite where unknown. The plain form of what the vector kernels do.
template <typename Known, typename Wanted, typename Offer>
void visit_offers(const Stencil& stencil, Index vertex, float from, const Known& known, const Wanted& wanted,
                  const Offer& offer) {
  for (Index f = vertex; f >= 0; f = stencil.fans[f].next) {
    const Fan& fan = stencil.fans[f];
    for (int slot = 0; slot < fan.used; ++slot) {
      const Index target = fan.neighbour[slot];
      if (!wanted(target)) continue;
      offer(target, from + fan.edge[slot]);
      for (int layer = 0; layer < Fan::layers; ++layer) {
        if (!fan.has_ray(layer, slot)) continue;
        const Ray ray = fan.ray(layer, slot);
        offer(target, virtual_source_distance(from, known(fan.neighbour[ray.other]), ray.length,
                                              0.5f / ray.length, ray.x, ray.y));
      }
    }
  }
}

}  // namespace geodome::internal
