#include "geodome/geodesic/exact/halfedge.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

constexpr double pi = std::numbers::pi;
/// Angles around a vertex are sums of a few rounded ones; a smaller excess over flat is taken for rounding.
constexpr double angle_tolerance = 1e-12;
/// Around slivers a larger one is.
constexpr double sliver_tolerance = 1e-4;
/// A triangle lower than this part of its longest side is a sliver.
constexpr double sliver_height = 1e-3;
/// Every triangle is at least this part of its longest side high. Flatter ones are laid out as if they were:
/// a root in line with an edge would see all and nothing of what is beyond. A path becomes longer by this
/// part of each such triangle that it crosses.
constexpr double least_height = 1e-14;
/// Between the directions of two fans: more than pi, at which a path no longer has a side to bend to.
constexpr double fan_gap = 10;

/// Gives a flat triangle this (doubled) area. The side from a keeps its length, and leans.
void raise_apex(HalfEdge& edge, double area) {
  edge.y = std::min(area / edge.length, std::min(edge.a_apex, edge.b_apex) / 2);
  edge.x = std::copysign(std::sqrt(edge.a_apex * edge.a_apex - edge.y * edge.y), edge.x);
}

bool is_sliver(const HalfEdge& edge) {
  const double longest = std::max({edge.length, edge.a_apex, edge.b_apex});
  return edge.y * edge.length < sliver_height * longest * longest;
}

HalfEdge lay_out(const Points& points, Index a, Index b, Index apex) {
  HalfEdge edge;
  edge.a = a;
  edge.b = b;
  edge.apex = apex;
  const Eigen::RowVector3d side = points.row(b) - points.row(a);
  const Eigen::RowVector3d rise = points.row(apex) - points.row(a);
  edge.length = side.norm();
  edge.x = side.dot(rise) / edge.length;
  edge.a_apex = rise.norm();
  edge.b_apex = (points.row(apex) - points.row(b)).norm();
  const double area = side.cross(rise).norm(), longest = std::max({edge.length, edge.a_apex, edge.b_apex});
  edge.y = area / edge.length;
  if (!(area > least_height * longest * longest)) raise_apex(edge, least_height * longest * longest);
  return edge;
}

}  // namespace

HalfEdges::HalfEdges(const Points& points, const Triangles& triangles)
    : first_corner_(points.rows() + 1, 0),
      closed_angle_(points.rows(), -1),
      bends_(points.rows(), 0),
      touches_sliver_(points.rows(), 0) {
  const Index count = static_cast<Index>(3 * triangles.rows());
  edges_.resize(count);
  corner_.resize(count);
  for (Index h = 0; h < count; ++h) {
    const Index f = h / 3, k = h % 3;
    edges_[h] = lay_out(points, triangles(f, (k + 1) % 3), triangles(f, (k + 2) % 3), triangles(f, k));
    mean_length_ += edges_[h].length / count;
  }
  // The corner at a of the next side: what is measured from a keeps its digits where a side is very short.
  for (Index h = 0; h < count; ++h) corner_[h].angle = std::atan2(edges_[left_of(h)].y, edges_[left_of(h)].x);
  link_edges(triangles);
  order_corners();
}

void HalfEdges::link_edges(const Triangles& triangles) {
  visit_edges(triangles, vertices(), [&](Index, std::span<const TriangleSide> sides) {
    const bool sliver = std::any_of(sides.begin(), sides.end(),
                                    [&](const TriangleSide& side) { return is_sliver(edges_[side.number]); });
    for (std::size_t i = 0; i < sides.size(); ++i) {
      HalfEdge& edge = edges_[sides[i].number];
      edge.next = sides[i + 1 < sides.size() ? i + 1 : 0].number;
      edge.parallel = edges_[edge.next].a == edge.a;
      edge.branches = sides.size() > 2;
      branches_ |= edge.branches;
      if (edge.branches || (sliver && sides.size() == 2)) edge.crossing = crossings_;
    }
    if (const HalfEdge& edge = edges_[sides.front().number]; edge.crossing >= 0) {
      touches_sliver_[edge.a] = touches_sliver_[edge.b] = 1;
      ++crossings_;
    }
  });
}

void HalfEdges::order_corners() {
  for (const HalfEdge& edge : edges_) ++first_corner_[edge.apex + 1];
  for (std::size_t v = 1; v < first_corner_.size(); ++v) first_corner_[v] += first_corner_[v - 1];
  std::vector<Index> unordered(edges_.size());
  std::vector<Index> place(first_corner_.begin(), first_corner_.end() - 1);
  for (Index h = 0; h < size(); ++h) unordered[place[edges_[h].apex]++] = h;

  const auto ends_fan = [&](Index h) { return edges_[h].next == h || edges_[h].branches; };
  corners_.reserve(edges_.size());
  std::vector<char> seen(edges_.size(), 0);
  for (Index v = 0; v < vertices(); ++v) {
    const std::span<const Index> all(unordered.data() + first_corner_[v],
                                     unordered.data() + first_corner_[v + 1]);
    bool open = false;
    double end = -fan_gap;
    int fans = 0;
    // Open fans first, each from one of its ends; what is left then are closed ones, which may start
    // anywhere.
    for (const bool closed : {false, true})
      for (const Index h : all) {
        const bool at_a = ends_fan(left_of(h)), at_b = ends_fan(right_of(h));
        if (seen[h] || (!closed && !at_a && !at_b)) continue;
        open |= !closed;
        ++fans;
        end = walk_fan(v, h, closed || at_a, end + fan_gap, seen);
      }
    const double total = end;
    if (fans == 1 && !open) closed_angle_[v] = total;
    bends_[v] = fans != 1 || (open ? total > pi - angle_tolerance : total > 2 * pi + angle_tolerance);
    // Among slivers a path through a flat vertex may pass it on neither side.
    if (touches_sliver_[v]) bends_[v] |= total > (open ? pi : 2 * pi) - sliver_tolerance;
  }
}

/// Returns the direction at which the fan ends.
double HalfEdges::walk_fan(Index v, Index start, bool from_a, double base, std::vector<char>& seen) {
  double walked = base;
  Index h = start;
  while (!seen[h]) {
    seen[h] = 1;
    corners_.push_back(h);
    Corner& corner = corner_[h];
    (from_a ? corner.direction_a : corner.direction_b) = walked;
    walked += corner.angle;
    (from_a ? corner.direction_b : corner.direction_a) = walked;
    const Index out = from_a ? right_of(h) : left_of(h);
    const Index across = edges_[out].next;
    if (across == out || edges_[out].branches) break;
    // The neighbour's corner at v, entered through its side to a or through its side to b.
    h = edges_[across].a == v ? right_of(across) : left_of(across);
    from_a = left_of(h) == across;
  }
  return walked;
}

}  // namespace geodome::internal
