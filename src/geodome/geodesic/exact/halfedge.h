#pragma once
/// The sides of all triangles laid into the plane, linked across edges: what windows and carried sources walk
/// on.

#include <span>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// Side k of triangle f, number 3 f + k, seen from inside: a at (0, 0), b at (length, 0), the opposite
/// corner, the apex, at (x, y) with y > 0. One line of the cache.
struct alignas(64) HalfEdge {
  Index a = 0;
  Index b = 0;
  Index apex = 0;
  Index next = 0;     ///< around the edge in a ring: itself on a boundary, the twin on an ordinary edge
  double length = 0;  ///< of a b
  double x = 0;       ///< of the apex, along a b
  double y = 0;       ///< of the apex, away from a b
  double a_apex = 0;  ///< length of the side from a to the apex
  double b_apex = 0;  ///< length of the side from b to the apex
  /// The number of an edge on which windows are to be compared with each other, because it has more than two
  /// triangles or is a sliver's; else -1.
  Index crossing = -1;
  bool branches = false;  ///< an edge of more than two triangles
  bool parallel =
      false;  ///< whether `next` runs from a to b, too: on an ordinary edge, an inconsistent orientation
};

/// Nothing is assumed but that the shape is of unit size and that the corners of a triangle differ: an edge
/// may have any number of them, in any orientation, and a vertex any number of fans.
class HalfEdges {
 public:
  /// Cost: O(#F) time; 100 bytes per half-edge.
  HalfEdges(const Points& points, const Triangles& triangles);

  Index vertices() const { return static_cast<Index>(bends_.size()); }
  Index size() const { return static_cast<Index>(edges_.size()); }
  const HalfEdge& operator[](Index h) const { return edges_[h]; }

  /// The other sides of the same triangle: from the apex to a, and from b to the apex.
  static Index left_of(Index h) { return h % 3 == 0 ? h + 2 : h - 1; }
  static Index right_of(Index h) { return h % 3 == 2 ? h - 2 : h + 1; }

  /// The half-edges whose apex is v, fan after fan, each in the order around v.
  std::span<const Index> corners(Index v) const {
    return {corners_.data() + first_corner_[v], corners_.data() + first_corner_[v + 1]};
  }

  /// The angle at the apex of h.
  double angle(Index h) const { return corner_[h].angle; }

  /// Directions at a vertex have a coordinate: the angle walked around its fan. These are the coordinates, at
  /// the apex of h, of the directions to a and to b. Fans of one vertex are apart by more than pi.
  double direction_of_a(Index h) const { return corner_[h].direction_a; }
  double direction_of_b(Index h) const { return corner_[h].direction_b; }

  /// The sum of the angles around v, or a negative number unless they form one closed fan.
  double closed_angle(Index v) const { return closed_angle_[v]; }

  /// Whether a shortest path may bend at v: a saddle, a reflex boundary corner, or where fans meet.
  bool bends(Index v) const { return bends_[v]; }

  /// Whether an edge at v has a `crossing`.
  bool touches_sliver(Index v) const { return touches_sliver_[v]; }

  double mean_length() const { return mean_length_; }

  /// Whether there is an edge of more than two triangles.
  bool branches() const { return branches_; }

  /// How many edges have a `crossing`.
  Index crossings() const { return crossings_; }

 private:
  void link_edges(const Triangles& triangles);
  void order_corners();
  double walk_fan(Index v, Index start, bool from_a, double base, std::vector<char>& seen);

  struct Corner {
    double angle = 0;
    double direction_a = 0;
    double direction_b = 0;
  };

  LargeVector<HalfEdge> edges_;
  std::vector<Index> first_corner_;
  std::vector<Index> corners_;
  LargeVector<Corner> corner_;
  std::vector<double> closed_angle_;
  std::vector<char> bends_;
  std::vector<char> touches_sliver_;
  double mean_length_ = 0;
  bool branches_ = false;
  Index crossings_ = 0;
};

}  // namespace geodome::internal
