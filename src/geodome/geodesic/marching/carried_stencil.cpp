#include "geodome/geodesic/marching/carried_stencil.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>

#include "geodome/geodesic/marching/unfold.h"

namespace geodome::internal {
namespace {

/// How often a corner is unfolded at most. Beyond that the strip is long and thin: giving up costs little.
constexpr int most_unfoldings = 8;
/// A triangle with a smaller part of the square of its longest side has no area, and contributes its edges
/// only.
constexpr double least_area = 1e-12;

double angle_between(const Point2& a, const Point2& b) {
  return std::atan2(std::abs(cross(a, b)), a.dot(b));
}

/// An end of a chord: where it lies when the target is the origin, and what a source seen from there needs.
struct End {
  Index vertex;
  Point2 at;
  double target;  ///< direction of the target
  double turn;    ///< sign of directions when turning from the target towards the other end
};

class ChordMaker {
 public:
  ChordMaker(const HalfEdges& edges, CarriedStencil& stencil) : edges_(edges), stencil_(stencil) {}

  void add_corner(Index h) {
    const HalfEdge& edge = edges_[h];
    const Index at_a = HalfEdges::right_of(h), at_b = HalfEdges::left_of(h);
    const double angle = edges_.angle(h);
    // At a, the half-edge opposite has b for its a and the target for its b; at b it is the other way round.
    const End a{edge.a, Point2(edge.a_apex, 0), edges_.direction_of_b(at_a),
                turn(edges_.direction_of_b(at_a), edges_.direction_of_a(at_a))};
    const End b{edge.b, edge.b_apex * Point2(std::cos(angle), std::sin(angle)), edges_.direction_of_a(at_b),
                turn(edges_.direction_of_a(at_b), edges_.direction_of_b(at_b))};
    const double longest = std::max({edge.length, edge.a_apex, edge.b_apex});
    if (edge.y * edge.length < least_area * longest * longest) {
      stencil_.chords.push_back({.target = edge.apex,
                                 .a = edge.a,
                                 .b = edge.b,
                                 .from_a = float(edge.a_apex),
                                 .from_b = float(edge.b_apex)});
      describe_target(h, a, b);
      return;
    }
    if (angle > std::acos(0.0))
      if (const std::optional<End> apex = find_apex(h, a, b)) {
        End towards_a = *apex;
        towards_a.turn = -apex->turn;
        add(h, a, towards_a);
        add(h, *apex, b);
        return;
      }
    add(h, a, b);
  }

 private:
  static double turn(double from, double to) { return to > from ? 1 : -1; }

  void describe_target(Index h, const End& a, const End& b) {
    CarriedChord& chord = stencil_.chords.back();
    const double sign = turn(edges_.direction_of_a(h), edges_.direction_of_b(h));
    chord.angle = float(std::atan2(cross(a.at, b.at), a.at.dot(b.at)));
    chord.cosine = std::cos(chord.angle);
    chord.sine = std::sin(chord.angle);
    chord.a_at_target = float(edges_.direction_of_a(h) + sign * std::atan2(a.at.y(), a.at.x()));
    chord.turn_target = float(sign);
    chord.target_at_a = float(a.target);
    chord.target_at_b = float(b.target);
    chord.turn_a = float(a.turn);
    chord.turn_b = float(b.turn);
  }

  void add(Index h, const End& a, const End& b) {
    CarriedChord chord{.target = edges_[h].apex, .a = a.vertex, .b = b.vertex};
    chord.from_a = float(a.at.norm());
    chord.from_b = float(b.at.norm());
    const Point2 along = b.at - a.at;
    const double length = along.norm();
    chord.length = float(length);
    chord.half_inverse = float(0.5 / length);
    chord.x = float(-a.at.dot(along) / length);
    chord.y = float(std::abs(cross(a.at, along)) / length);
    stencil_.chords.push_back(chord);
    describe_target(h, a, b);
  }

  /// The vertex that splits the corner. Its turn is the one towards b.
  std::optional<End> find_apex(Index h, const End& a, const End& b) const {
    Index left_vertex = a.vertex, across = h;
    bool same = false;  // whether the edge, seen from beyond, runs from left to right
    const auto lay_out = [&](const Point2& left, const Point2& right) -> std::optional<Point2> {
      across = edges_[h].next;
      if (across == h || edges_[h].branches) return {};
      const HalfEdge& edge = edges_[across];
      same = edge.a == left_vertex;
      const Point2 along = (right - left).normalized();
      return Point2(left + (same ? edge.x : edge.length - edge.x) * along +
                    edge.y * Point2(along.y(), -along.x()));
    };
    const auto go_on = [&](bool beyond_a) {
      // The next edge joins the apex to the end that stays.
      const bool keep_a = same != beyond_a;
      h = keep_a ? HalfEdges::left_of(across) : HalfEdges::right_of(across);
      if (beyond_a) left_vertex = edges_[across].apex;
    };
    const auto found = unfold_corner(a.at, b.at, most_unfoldings, lay_out, go_on);
    if (!found) return {};
    const double to_left = same ? edges_.direction_of_a(across) : edges_.direction_of_b(across);
    const double to_right = same ? edges_.direction_of_b(across) : edges_.direction_of_a(across);
    const double sign = turn(to_left, to_right);
    return End{edges_[across].apex, found->at,
               to_left + sign * angle_between(found->left - found->at, -found->at), sign};
  }

  const HalfEdges& edges_;
  CarriedStencil& stencil_;
};

}  // namespace

CarriedStencil make_carried_stencil(const HalfEdges& edges) {
  CarriedStencil stencil;
  ChordMaker maker(edges, stencil);
  stencil.chords.reserve(edges.size() + edges.size() / 4);
  for (Index v = 0; v < edges.vertices(); ++v) {
    stencil.first_of_target.push_back(static_cast<std::int64_t>(stencil.chords.size()));
    stencil.closed_angle.push_back(float(edges.closed_angle(v)));
    for (const Index h : edges.corners(v)) maker.add_corner(h);
  }
  stencil.first_of_target.push_back(static_cast<std::int64_t>(stencil.chords.size()));
  stencil.first.assign(edges.vertices() + 1, 0);
  for (const CarriedChord& chord : stencil.chords) {
    ++stencil.first[chord.a + 1];
    ++stencil.first[chord.b + 1];
  }
  for (Index v = 0; v < edges.vertices(); ++v) stencil.first[v + 1] += stencil.first[v];
  stencil.ending.resize(stencil.first.back());
  std::vector<std::int64_t> place(stencil.first.begin(), stencil.first.end() - 1);
  for (std::size_t c = 0; c < stencil.chords.size(); ++c) {
    stencil.ending[place[stencil.chords[c].a]++] = static_cast<Index>(c);
    stencil.ending[place[stencil.chords[c].b]++] = static_cast<Index>(c);
  }
  if (edges.mean_length() > 0) stencil.mean_edge = float(edges.mean_length());
  return stencil;
}

}  // namespace geodome::internal
