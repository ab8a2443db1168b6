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

#include "geodome/geodesic/surface.h"

namespace geodome {

/// A chord from a to b, laid flat with its target on one side of it: a at (0, 0), b at (length, 0), the
/// target at (x, y) with y >= 0. A chord that only carries the two straight connections has length 0.
struct Chord {
  Index a = 0;
  Index b = 0;
  float length = 0;
  float half_inverse = 0;  ///< 1 / (2 length)
  float x = 0;
  float y = 0;
  float from_a = 0;  ///< |a target|, straight through the triangles laid flat
  float from_b = 0;
};

/// Eight chords that end in one vertex, component by component, as seen from that end: what one step of the
/// march reads when the distance of that vertex is settled.
struct alignas(32) StencilBlock {
  static constexpr int lanes = 8;
  Index target[lanes];
  Index other[lanes];  ///< the other end of the chord
  float edge[lanes];   ///< |vertex target|
  float length[lanes];
  float half_inverse[lanes];
  float x[lanes];  ///< target, with this end of the chord at (0, 0) and the other at (length, 0)
  float y[lanes];
};

struct Stencil {
  Index vertices = 0;
  /// Chords by target: those of vertex v are chords[chord_offsets[v] .. chord_offsets[v + 1]).
  std::vector<std::int64_t> chord_offsets;
  std::vector<Chord> chords;
  /// The same chords by end: those that end in v are in blocks[block_offsets[v] .. block_offsets[v + 1]),
  /// sorted by the direction of their target. The last block is filled up with entries whose target is v
  /// itself.
  std::vector<std::int64_t> block_offsets;
  std::vector<StencilBlock> blocks;
  float typical_edge = 1;  ///< median length of the mesh's edges
  float longest = 0;       ///< longest straight connection |vertex target| of all
};

/// ring 1: the triangles around a vertex, obtuse corners split by unfolding across the opposite edge until a
/// vertex comes into view. ring 2: in addition every corner is split by the vertex across the opposite edge,
/// if that one is in view, and the whole corner is kept. Nothing is unfolded across an edge that has not
/// exactly two faces; corners without area contribute their edges only. Cost: O(#F log #F) time, about 0.7
/// (ring 1) or 1.7 (ring 2) kilobytes per vertex. Throws InputError when ring is neither 1 nor 2.
Stencil make_stencil(const Surface& surface, int ring);

/// The distance at the target when it is `da` at a and `db` at b: places the source in the plane of the chord
/// and measures from there. Infinite when the straight path misses the chord, or would arrive before it left
/// (a value below da or db makes results depend on the order of updates).
inline float virtual_source_distance(float da, float db, float length, float half_inverse, float x, float y) {
  const float source_x = ((da - db) * (da + db) + length * length) * half_inverse;
  const float height_squared = (da - source_x) * (da + source_x);
  if (!(height_squared >= 0)) return std::numeric_limits<float>::infinity();
  const float height = std::sqrt(height_squared);
  const float crossing = source_x * y + x * height, depth = height + y;
  if (!(crossing >= 0 && crossing <= length * depth)) return std::numeric_limits<float>::infinity();
  const float dx = x - source_x;
  const float distance = std::sqrt(dx * dx + depth * depth);
  return distance >= (da > db ? da : db) ? distance : std::numeric_limits<float>::infinity();
}

/// What vertex v, at distance dv, offers to the target of one entry when the other end of the chord is at
/// `d_other` (infinite where unknown).
inline float offered_distance(const StencilBlock& block, int lane, float dv, float d_other) {
  const float straight = dv + block.edge[lane];
  const float through = virtual_source_distance(dv, d_other, block.length[lane], block.half_inverse[lane],
                                                block.x[lane], block.y[lane]);
  return through < straight ? through : straight;
}

}  // namespace geodome
