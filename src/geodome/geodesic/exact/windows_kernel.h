#pragma once
/// The arithmetic of window propagation, several windows of one half-edge at a time.

#include <cstdint>
#include <limits>

#include "geodome/geodesic/exact/halfedge.h"

namespace geodome::internal {

/// An interval [low, high] of a half-edge that straight paths cross on their way into its triangle. In the
/// half-edge's plane they all come from the point (x, -y), y > 0, the image of a vertex at distance `sigma`.
struct Window {
  double low = 0;
  double high = 0;
  double x = 0;
  double y = 0;
  double sigma = 0;
};

/// Windows side by side, as vectors take them.
struct Bundle {
  static constexpr int most = 64;
  alignas(32) double low[most];
  alignas(32) double high[most];
  alignas(32) double x[most];
  alignas(32) double y[most];
  alignas(32) double sigma[most];
  int count = 0;

  void add(const Window& window) {
    low[count] = window.low;
    high[count] = window.high;
    x[count] = window.x;
    y[count] = window.y;
    sigma[count++] = window.sigma;
  }
  Window operator[](int i) const { return {low[i], high[i], x[i], y[i], sigma[i]}; }
};

/// The path of each window of a bundle to the apex.
struct Approach {
  alignas(32) double crossing[Bundle::most];  ///< where it crosses the edge
  alignas(32) double length[Bundle::most];    ///< infinite for windows that do not see the apex
};

/// Fills all of `bundle` up to the next multiple of the vector length: entries beyond `count` are ignored.
void approach_apex(const HalfEdge& edge, Bundle& bundle, Approach& approach);

/// Divides the windows at the apex: [low, to_left[i]] goes on through the left side of the triangle and
/// [to_right[i], high] through the right one; empty where there is nothing. One angle, one split: of two
/// windows that see the apex, the one that is farther from it can win on its own side of the nearer one's
/// path only. `best` and `crossing` are that path's. A tie decides nothing: on flat ground, two halves of
/// what was one window meet again on the ray through the apex, and each still has its side to serve.
/// With `sheets`, the farther window keeps what lies beyond the nearer path, too.
void split_at_apex(const HalfEdge& edge, const Bundle& bundle, const Approach& approach, double best,
                   double crossing, bool sheets, double* to_left, double* to_right);

/// One of the two sides through which windows leave their triangle, as seen from the end it shares with the
/// edge they came through.
struct Exit {
  double span;   ///< length of the edge they came through: its other end, the third corner, is at (span, 0)
  double side;   ///< length of the exit, from base to apex
  double along;  ///< unit vector from base to apex
  double across;
  double base;  ///< distances of the three corners
  double apex;
  double third;
  bool mirrored;  ///< the base is the edge's end b
};

/// The parts of windows whose rays cross the exit, those through [low, high], measured from its base: into
/// `children`, by place. Returns one bit for each of them that is there and not beaten by a path through a
/// corner (Xin and Wang's test). `split` is to_left or to_right of above.
std::uint64_t leave_triangle(const Exit& exit, const Bundle& bundle, const double* split, Bundle& children);

/// Whether paths through the ends of the window's edge, at distances `base` and `end` and `length` apart, are
/// shorter everywhere beyond it. As short is not enough: along an edge that points away from the root,
/// rounding makes the straight path and the one through the end equal, and the end of the edge need not be a
/// bend that would emit in its stead.
bool beaten_from_ends(double base, double end, double length, const Window& window);

/// Whether anything fits through a window on an edge of this length.
bool is_open(const Window& window, double length);

/// The coordinates of roots and ends of windows have rounding errors of this part of their edge, at most.
constexpr double coordinate_rounding = 16 * std::numeric_limits<double>::epsilon();

}  // namespace geodome::internal
