#pragma once
/// Unfolding of triangles into the plane, to find the vertex that splits an obtuse corner.

#include <Eigen/Core>
#include <optional>

namespace geodome::internal {

using Point2 = Eigen::Vector2d;

inline double cross(const Point2& a, const Point2& b) {
  return a.x() * b.y() - a.y() * b.x();
}

/// A vertex between the sides of a corner, and the end towards a of the edge across which its triangle was
/// unfolded.
struct VertexInView {
  Point2 at;
  Point2 left;
};

/// The first vertex that comes into view between a and b, seen from the origin, with b counter-clockwise of
/// a, when triangles are unfolded across the edge from a to b and the edges beyond, `most` of them.
/// `lay_out(left, right)` gives the place of the third vertex of the triangle beyond the edge from left to
/// right, or nothing where the unfolding ends; `go_on(beyond_a)` moves on to the edge that joins this vertex
/// to right if it lies beyond a, else to left.
template <typename LayOut, typename GoOn>
std::optional<VertexInView> unfold_corner(const Point2& a, const Point2& b, int most, LayOut lay_out,
                                          GoOn go_on) {
  // In view means clearly between the two sides: chords thinner than this are better left alone.
  constexpr double view_margin = 1e-9;
  const double margin = view_margin * a.norm();
  Point2 left = a, right = b;
  for (int step = 0; step < most; ++step) {
    const std::optional<Point2> apex = lay_out(left, right);
    if (!apex) return {};
    const bool beyond_a = cross(a, *apex) <= margin * apex->norm();
    const bool beyond_b = cross(*apex, b) <= margin * apex->norm();
    if (!beyond_a && !beyond_b) return VertexInView{*apex, left};
    (beyond_a ? left : right) = *apex;
    go_on(beyond_a);
  }
  return {};
}

}  // namespace geodome::internal
