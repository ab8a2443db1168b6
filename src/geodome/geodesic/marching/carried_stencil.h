#pragma once
/// The stencil of marching with a carried source: chords laid flat as in stencil.h, with the directions that
/// turn a source seen from one vertex into a source seen from another.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/geodesic/exact/halfedge.h"
#include "geodome/geodesic/marching/carried_chord.h"

namespace geodome::internal {

struct CarriedStencil {
  /// By target: those of vertex v are chords[first_of_target[v] .. first_of_target[v + 1]).
  std::vector<CarriedChord> chords;
  std::vector<std::int64_t> first_of_target;
  /// The chords that end in vertex v are ending[first[v] .. first[v + 1]).
  std::vector<std::int64_t> first;
  std::vector<Index> ending;
  /// The angle around each vertex, or a negative number unless it is one closed fan.
  std::vector<float> closed_angle;
  float mean_edge = 1;

  std::span<const CarriedChord> chords_of(Index v) const {
    return {chords.data() + first_of_target[v], chords.data() + first_of_target[v + 1]};
  }
  std::span<const Index> ending_in(Index v) const {
    return {ending.data() + first[v], ending.data() + first[v + 1]};
  }
};

/// One chord per corner; two where the corner is obtuse and a vertex comes into view between its sides when
/// the triangles beyond are unfolded. Corners without area keep their edges only. Cost: O(#F) time, some 700
/// bytes per vertex.
CarriedStencil make_carried_stencil(const HalfEdges& edges);

}  // namespace geodome::internal
