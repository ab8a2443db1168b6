#pragma once
/// The stencil of marching with a carried source: chords laid flat as in stencil.h, with the directions that
/// turn a source seen from one vertex into a source seen from another.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/geodesic/exact/halfedge.h"

namespace geodome::internal {

/// A chord between a and b in front of its target. Directions at a vertex are those of HalfEdges.
struct CarriedChord {
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

struct CarriedStencil {
  std::vector<CarriedChord> chords;
  /// The chords that end in vertex v are ending[first[v] .. first[v + 1]).
  std::vector<std::int64_t> first;
  std::vector<Index> ending;
  /// The angle around each vertex, or a negative number unless it is one closed fan.
  std::vector<float> closed_angle;
  float mean_edge = 1;

  std::span<const Index> ending_in(Index v) const {
    return {ending.data() + first[v], ending.data() + first[v + 1]};
  }
};

/// One chord per corner; two where the corner is obtuse and a vertex comes into view between its sides when
/// the triangles beyond are unfolded. Corners without area keep their edges only. Cost: O(#F) time, some 700
/// bytes per vertex.
CarriedStencil make_carried_stencil(const HalfEdges& edges);

}  // namespace geodome::internal
