#include "geodome/geodesic/exact/trace.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// A path through a corner that is longer by less than this part of the whole is as short. The first is many
/// times the rounding of a line that was laid through thousands of triangles; the others are for slivers,
/// where distances are less precise.
constexpr double as_short[] = {1e-12, 1e-9, 1e-7};
/// A path that is longer than its distance by less than this part is not tried again.
constexpr double precise = 1e-10;
/// A line that passes an end of an edge within this part of the edge may go through it instead.
constexpr double near_end = 1e-6;

/// The rest of a straight piece, in the plane of the half-edge over which it leaves the current triangle:
/// from (from_x, from_y), y >= 0, to the image (x, -y) of the vertex where it begins.
struct Line {
  Index half_edge = 0;
  double from_x = 0;
  double from_y = 0;
  double x = 0;
  double y = 0;
};

/// Traces one path, from its end to its beginning.
class Trace {
 public:
  Trace(const HalfEdges& edges, const WindowPropagation& windows, Index target, double as_short)
      : edges_(edges), windows_(windows), tie_(as_short * windows.distance(target)) {
    add_vertex(target);
  }

  double length() const { return length_; }

  /// Follows the last straight piece of the path to `vertex` and returns where it begins.
  Index follow(Index vertex) {
    const WindowPropagation::Arrival& arrival = windows_.arrival(vertex);
    const HalfEdge& home = edges_[arrival.half_edge];
    Line line{arrival.half_edge, home.x, home.y, arrival.x, arrival.y};
    whole_ = windows_.distance(vertex);
    const double begin = whole_ - std::hypot(home.x - line.x, home.y + line.y);
    for (Index crossed = 0; crossed < edges_.size(); ++crossed) {
      const HalfEdge& edge = edges_[line.half_edge];
      const double at = crossing(line, edge.length);
      const double rest = begin + std::hypot(line.x - at, line.y);
      length_ += std::hypot(line.from_x - at, line.from_y);
      if (at <= near_end * edge.length && leads(edge.a, at, rest)) return to(edge.a, at);
      if (edge.length - at <= near_end * edge.length && leads(edge.b, edge.length - at, rest))
        return to(edge.b, edge.length - at);
      const Index across = opposite(line, begin);
      if (across < 0) return nearest_corner(edge, at, false);
      points_.push_back({edge.a, edge.b, at / edge.length});
      const HalfEdge& next = edges_[across];
      const bool same_end = next.a == edge.a;
      const double seen_at = same_end ? at : edge.length - at;
      const double image_x = same_end ? line.x : edge.length - line.x;
      const double to_apex = std::hypot(next.x - seen_at, next.y);
      if (leads(next.apex, to_apex, rest)) return to(next.apex, to_apex);
      line = through(across, seen_at, image_x, line.y);
      if (!(line.y > 0)) return nearest_corner(next, seen_at, true);
    }
    return vertex;
  }

  void add_vertex(Index vertex) { points_.push_back({vertex, vertex, 0}); }

  std::vector<EdgePoint> take() {
    std::reverse(points_.begin(), points_.end());
    return std::move(points_);
  }

 private:
  static double crossing(const Line& line, double length) {
    const double fall = line.from_y + line.y;
    const double at = fall > 0 ? line.from_x + (line.x - line.from_x) * (line.from_y / fall) : line.x;
    return std::clamp(at, 0.0, length);
  }

  /// Whether a shortest path goes to this corner, `away` from here.
  bool leads(Index corner, double away, double rest) const {
    const double distance = windows_.distance(corner);
    return distance + away <= rest + tie_ && distance < whole_;
  }

  /// The half-edge, on the same edge, of the triangle from which the path came; -1 on a boundary.
  Index opposite(const Line& line, double begin) const {
    const HalfEdge& edge = edges_[line.half_edge];
    if (edge.next == line.half_edge) return -1;
    if (!edge.branches) return edge.next;
    const double at = crossing(line, edge.length);
    return windows_.came_from(line.half_edge, {at, at, line.x, line.y, begin});
  }

  /// The line from `at` on a half-edge to an image at (x, y) beyond its triangle.
  Line through(Index half_edge, double at, double x, double y) const {
    const HalfEdge& edge = edges_[half_edge];
    const bool leaves_left = (edge.x - at) * y - edge.y * (x - at) > 0;
    const double base_x = leaves_left ? edge.x : edge.length, base_y = leaves_left ? edge.y : 0;
    const double side = leaves_left ? edge.a_apex : edge.b_apex;
    const double along_x = (leaves_left ? -edge.x : edge.x - edge.length) / side;
    const double along_y = (leaves_left ? -edge.y : edge.y) / side;
    const auto along = [&](double px, double py) {
      return (px - base_x) * along_x + (py - base_y) * along_y;
    };
    const auto inside = [&](double px, double py) {
      return along_x * (py - base_y) - along_y * (px - base_x);
    };
    return {leaves_left ? HalfEdges::left_of(half_edge) : HalfEdges::right_of(half_edge), along(at, 0),
            std::max(0.0, inside(at, 0)), along(x, y), -inside(x, y)};
  }

  Index to(Index corner, double away) {
    length_ += away;
    return corner;
  }

  /// Where rounding has left no better way: the end of the edge, or the apex, with the shortest path through
  /// it.
  Index nearest_corner(const HalfEdge& edge, double at, bool or_apex) {
    const double to_apex = or_apex ? std::hypot(edge.x - at, edge.y) : infinity;
    const double by_a = windows_.distance(edge.a) + at, by_b = windows_.distance(edge.b) + edge.length - at,
                 by_apex = windows_.distance(edge.apex) + to_apex;
    if (by_apex <= std::min(by_a, by_b)) return to(edge.apex, to_apex);
    return by_a <= by_b ? to(edge.a, at) : to(edge.b, edge.length - at);
  }

  const HalfEdges& edges_;
  const WindowPropagation& windows_;
  double tie_;
  double whole_ = 0;  ///< distance of the vertex whose path is followed
  double length_ = 0;
  std::vector<EdgePoint> points_;
};

}  // namespace

std::vector<EdgePoint> trace_back(const HalfEdges& edges, const WindowPropagation& windows, Index source,
                                  Index target) {
  std::vector<EdgePoint> best;
  double shortest = infinity;
  for (const double tie : as_short) {
    Trace trace(edges, windows, target, tie);
    Index here = target;
    while (here != source) {
      const Index before = trace.follow(here);
      if (!(windows.distance(before) < windows.distance(here))) break;
      trace.add_vertex(before);
      here = before;
    }
    if (here != source || !(trace.length() < shortest)) continue;
    shortest = trace.length();
    best = trace.take();
    if (shortest <= windows.distance(target) * (1 + precise)) break;
  }
  if (best.empty())
    throw NumericalError(
        "cannot trace a shortest path across triangles of extreme aspect ratio: remesh the shape");
  return best;
}

}  // namespace geodome::internal
