#include "geodome/geodesic/halfedge.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace geodome {
namespace {

constexpr double pi = std::numbers::pi;
/// Angles around a vertex are sums of a few rounded ones; a smaller excess over flat is taken for rounding.
constexpr double angle_tolerance = 1e-12;
/// A triangle of unit-sized coordinates that is lower than this has no height but rounding.
constexpr double no_height = 1e-15;
/// Between the directions of two fans: more than pi, at which a path no longer has a side to bend to.
constexpr double fan_gap = 10;

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
  if (area > no_height * longest) edge.y = area / edge.length;
  return edge;
}

}  // namespace

HalfEdges::HalfEdges(const Points& points, const Triangles& triangles)
    : first_corner_(points.rows() + 1, 0), closed_angle_(points.rows(), -1), bends_(points.rows(), 0) {
  const Index count = static_cast<Index>(3 * triangles.rows());
  edges_.resize(count);
  corner_.resize(count);
  for (Index h = 0; h < count; ++h) {
    const Index f = h / 3, k = h % 3;
    edges_[h] = lay_out(points, triangles(f, (k + 1) % 3), triangles(f, (k + 2) % 3), triangles(f, k));
    const HalfEdge& edge = edges_[h];
    // From the apex, a lies at (-x, -y) and b at (length - x, -y).
    corner_[h].angle = std::atan2(edge.y * edge.length, edge.y * edge.y - edge.x * (edge.length - edge.x));
    mean_length_ += edge.length / count;
  }
  link_edges();
  order_corners();
}

void HalfEdges::link_edges() {
  // Half-edges by their smaller end, then by the other one: the equal ones are the triangles of an edge.
  std::vector<Index> first(first_corner_.size(), 0);
  for (const HalfEdge& edge : edges_) ++first[std::min(edge.a, edge.b) + 1];
  for (std::size_t v = 1; v < first.size(); ++v) first[v] += first[v - 1];
  std::vector<std::pair<Index, Index>> order(edges_.size());
  std::vector<Index> place(first.begin(), first.end() - 1);
  for (Index h = 0; h < size(); ++h)
    order[place[std::min(edges_[h].a, edges_[h].b)]++] = {std::max(edges_[h].a, edges_[h].b), h};
  for (std::size_t v = 0; v + 1 < first.size(); ++v) {
    std::sort(order.begin() + first[v], order.begin() + first[v + 1]);
    for (Index begin = first[v]; begin < first[v + 1];) {
      Index end = begin + 1;
      while (end < first[v + 1] && order[end].first == order[begin].first) ++end;
      for (Index i = begin; i < end; ++i) {
        HalfEdge& edge = edges_[order[i].second];
        edge.next = order[i + 1 < end ? i + 1 : begin].second;
        edge.parallel = edges_[edge.next].a == edge.a;
        if (end - begin > 2) edge.branch = branches_++;
      }
      begin = end;
    }
  }
}

void HalfEdges::order_corners() {
  for (const HalfEdge& edge : edges_) ++first_corner_[edge.apex + 1];
  for (std::size_t v = 1; v < first_corner_.size(); ++v) first_corner_[v] += first_corner_[v - 1];
  std::vector<Index> unordered(edges_.size());
  std::vector<Index> place(first_corner_.begin(), first_corner_.end() - 1);
  for (Index h = 0; h < size(); ++h) unordered[place[edges_[h].apex]++] = h;

  const auto ends_fan = [&](Index h) { return edges_[h].next == h || edges_[h].branch >= 0; };
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
    if (across == out || edges_[out].branch >= 0) break;
    // The neighbour's corner at v, entered through its side to a or through its side to b.
    h = edges_[across].a == v ? right_of(across) : left_of(across);
    from_a = left_of(h) == across;
  }
  return walked;
}

}  // namespace geodome
