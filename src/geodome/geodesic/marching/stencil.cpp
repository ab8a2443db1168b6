#include "geodome/geodesic/marching/stencil.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <optional>

#include "geodome/base/error.h"
#include "geodome/geodesic/marching/unfold.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

/// How often a corner is unfolded at most. Beyond that the strip is long and thin: giving up costs little.
constexpr int most_unfoldings = 12;
/// Lengths below this fraction of the shape's diagonal drown in the rounding of float distances.
constexpr double smallest_chord = 1e-7;

/// A corner, or a part of one, laid flat with its tip in the origin and b counter-clockwise of a.
struct FlatCorner {
  Index tip, a, b;
  Point2 at_a, at_b;
};

Chord chord_of(const FlatCorner& corner) {
  const Point2 along = corner.at_b - corner.at_a;
  const double length = along.norm(), from_a = corner.at_a.norm(), from_b = corner.at_b.norm();
  Chord chord{.a = corner.a, .b = corner.b, .target = corner.tip};
  chord.from_a = static_cast<float>(from_a);
  chord.from_b = static_cast<float>(from_b);
  if (length >= smallest_chord) {
    chord.length = static_cast<float>(length);
    chord.x = static_cast<float>(-corner.at_a.dot(along) / length);
    chord.y = static_cast<float>(std::abs(cross(corner.at_a, along)) / length);
  } else {
    chord.x = -1e18f;  // no straight path crosses it
  }
  return chord;
}

class ChordMaker {
 public:
  ChordMaker(const Surface& surface, int ring)
      : surface_(surface),
        ring_(ring),
        opposite_(opposite_sides(surface.triangles, static_cast<Index>(surface.points.rows()))) {}

  /// Calls visit(FlatCorner) for every chord of corner k of face f.
  template <typename Visit>
  void visit_corner(Index f, Index k, const Visit& visit) const {
    const FlatCorner corner = lay_flat(f, k);
    const bool obtuse = corner.at_b.x() < 0;
    std::optional<Apex> apex;
    if (obtuse || ring_ == 2) apex = find_apex(f, k, corner, obtuse ? most_unfoldings : 1);
    if (apex) {
      visit(FlatCorner{corner.tip, corner.a, apex->vertex, corner.at_a, apex->at});
      visit(FlatCorner{corner.tip, apex->vertex, corner.b, apex->at, corner.at_b});
    }
    if (!apex) visit(corner);
  }

 private:
  struct Apex {
    Index vertex;
    Point2 at;
  };

  FlatCorner lay_flat(Index f, Index k) const {
    const auto& T = surface_.triangles;
    const Index tip = T(f, k), a = T(f, (k + 1) % 3), b = T(f, (k + 2) % 3);
    const Eigen::RowVector3d to_a = surface_.points.row(a) - surface_.points.row(tip);
    const Eigen::RowVector3d to_b = surface_.points.row(b) - surface_.points.row(tip);
    const double length = to_a.norm();
    if (!(length > 0)) return {tip, a, b, Point2::Zero(), Point2(to_b.norm(), 0)};
    return {tip, a, b, Point2(length, 0), Point2(to_a.dot(to_b) / length, to_a.cross(to_b).norm() / length)};
  }

  /// The vertex that splits the corner.
  std::optional<Apex> find_apex(Index f, Index k, const FlatCorner& corner, int unfoldings) const {
    const auto& T = surface_.triangles;
    Index side = 3 * f + k, left = corner.a, right = corner.b, face = f, apex = corner.tip;
    const auto lay_out = [&](const Point2& at_left, const Point2& at_right) -> std::optional<Point2> {
      const Index across = opposite_[side];
      if (across < 0) return {};
      face = across / 3;
      apex = T(face, across % 3);
      if (apex == corner.tip) return {};
      const Point2 along = at_right - at_left;
      const double base = along.squaredNorm();
      if (base < smallest_chord * smallest_chord) return {};
      const double to_left = (surface_.points.row(apex) - surface_.points.row(left)).squaredNorm();
      const double to_right = (surface_.points.row(apex) - surface_.points.row(right)).squaredNorm();
      const double u = (to_left - to_right + base) / (2 * base);
      const double height = std::sqrt(std::max(0.0, to_left / base - u * u));
      return Point2(at_left + u * along + height * Point2(along.y(), -along.x()));
    };
    const auto go_on = [&](bool beyond_a) {
      (beyond_a ? left : right) = apex;
      for (Index corner_of_face = 0; corner_of_face < 3; ++corner_of_face)
        if (T(face, corner_of_face) != left && T(face, corner_of_face) != right)
          side = 3 * face + corner_of_face;
    };
    const auto found = unfold_corner(corner.at_a, corner.at_b, unfoldings, lay_out, go_on);
    if (!found) return {};
    return Apex{apex, found->at};
  }

  const Surface& surface_;
  int ring_;
  std::vector<Index> opposite_;
};

/// Chords by target. Every corner has room for two, and those with one leave a gap that is closed afterwards:
/// laying corners flat twice takes longer.
void gather_chords(const Surface& surface, const ChordMaker& maker, Stencil& stencil) {
  const auto& T = surface.triangles;
  std::vector<std::int64_t> first(stencil.vertices + 1, 0);
  for (const Index tip : T.reshaped()) first[tip + 1] += 2;
  for (Index v = 0; v < stencil.vertices; ++v) first[v + 1] += first[v];
  stencil.chords.resize(first.back());
  std::vector<std::int64_t> next(first.begin(), first.end() - 1);
  for (Index f = 0; f < T.rows(); ++f)
    for (Index k = 0; k < 3; ++k)
      maker.visit_corner(
          f, k, [&](const FlatCorner& corner) { stencil.chords[next[corner.tip]++] = chord_of(corner); });
  stencil.chord_offsets.assign(1, 0);
  auto end = stencil.chords.begin();
  for (Index v = 0; v < stencil.vertices; ++v) {
    end = std::copy(stencil.chords.begin() + first[v], stencil.chords.begin() + next[v], end);
    stencil.chord_offsets.push_back(end - stencil.chords.begin());
  }
  stencil.chords.erase(end, stencil.chords.end());
}

/// Packs chords into the fans of their ends.
class FanMaker {
 public:
  explicit FanMaker(Stencil& stencil) : stencil_(stencil) {
    stencil.fans.reserve(stencil.vertices + stencil.vertices / 8);
    for (Index v = 0; v < stencil.vertices; ++v) add_fan(v);
  }

  /// A chord that ends in the vertex. All of one vertex must follow one another.
  void add(Index vertex, const Chord& chord) {
    turn_to(vertex);
    const bool from_a = chord.a == vertex, crossable = chord.length > 0;
    const float edge = from_a ? chord.from_a : chord.from_b;
    const Index other = from_a ? chord.b : chord.a;
    if (!has_room(chord.target, edge, crossable ? &other : nullptr, chord.length)) continue_in_new_fan();
    const int target_slot = slot_of(chord.target, edge);
    if (!crossable) return;
    // The chord lies flat between its ends, so it is a straight connection as well.
    const int other_slot = slot_of(other, chord.length);
    add_ray(target_slot, other_slot, from_a ? chord.x : chord.length - chord.x, chord.y);
  }

  /// What is straight is so both ways, also where strips of faces unfold one way only.
  void connect(Index vertex, Index neighbour, float edge) {
    turn_to(vertex);
    for (Index f = vertex; f >= 0; f = stencil_.fans[f].next)
      if (neighbour == vertex || find(f, neighbour, edge) < stencil_.fans[f].used) return;
    if (!has_room(neighbour, edge, nullptr, 0)) continue_in_new_fan();
    slot_of(neighbour, edge);
  }

 private:
  void turn_to(Index vertex) {
    if (vertex != vertex_) vertex_ = fan_ = vertex;
  }

  int find(Index fan, Index neighbour, float edge) const {
    return find_slot(stencil_.fans[fan], neighbour, edge);
  }
  int find(Index neighbour, float edge) const { return find(fan_, neighbour, edge); }

  void add_fan(Index vertex) {
    Fan& fan = stencil_.fans.emplace_back();
    std::fill_n(fan.neighbour, Fan::slots, vertex);
    std::fill_n(fan.edge, Fan::slots, 1.0f);
    for (int layer = 0; layer < Fan::layers; ++layer) {
      std::fill_n(fan.other[layer], Fan::slots, std::uint8_t{0});
      std::fill_n(fan.x[layer], Fan::slots, Fan::no_ray);
      std::fill_n(fan.y[layer], Fan::slots, std::int16_t{0});
    }
  }

  void continue_in_new_fan() {
    const auto next = static_cast<Index>(stencil_.fans.size());
    add_fan(vertex_);
    stencil_.fans[fan_].next = next;
    fan_ = next;
  }

  /// For a target, and the other end of its chord unless that cannot be crossed.
  bool has_room(Index target, float edge, const Index* other, float length) const {
    const int used = stencil_.fans[fan_].used, slot = find(target, edge);
    const int missing = (slot == used) + (other && find(*other, length) == used);
    return used + missing <= Fan::slots && (!other || slot == used || free_layer(slot) < Fan::layers);
  }

  int slot_of(Index neighbour, float edge) {
    const int slot = find(neighbour, edge);
    Fan& fan = stencil_.fans[fan_];
    if (slot == fan.used) {
      fan.neighbour[slot] = neighbour;
      fan.edge[slot] = edge;
      ++fan.used;
    }
    return slot;
  }

  /// The first layer without a ray to the slot.
  int free_layer(int slot) const {
    int layer = 0;
    while (layer < Fan::layers && stencil_.fans[fan_].has_ray(layer, slot)) ++layer;
    return layer;
  }

  void add_ray(int target, int other, float x, float y) {
    Fan& fan = stencil_.fans[fan_];
    const int layer = free_layer(target);
    const auto [cosine, sine] = direction_of(x, y);
    fan.other[layer][target] = static_cast<std::uint8_t>(other);
    fan.x[layer][target] = cosine;
    fan.y[layer][target] = sine;
  }

  Stencil& stencil_;
  Index vertex_ = -1;
  Index fan_ = 0;
};

void scatter_chords(Stencil& stencil) {
  std::vector<std::int64_t> offsets(stencil.vertices + 1, 0);
  for (const Chord& chord : stencil.chords) {
    ++offsets[chord.a + 1];
    ++offsets[chord.b + 1];
  }
  for (Index v = 0; v < stencil.vertices; ++v) offsets[v + 1] += offsets[v];
  std::vector<std::uint32_t> ending(offsets.back());  // chords by their ends
  std::vector<std::int64_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t c = 0; c < stencil.chords.size(); ++c) {
    ending[next[stencil.chords[c].a]++] = static_cast<std::uint32_t>(c);
    ending[next[stencil.chords[c].b]++] = static_cast<std::uint32_t>(c);
  }
  FanMaker maker(stencil);
  for (Index v = 0; v < stencil.vertices; ++v) {
    for (auto e = offsets[v]; e < offsets[v + 1]; ++e) {
      const Chord& chord = stencil.chords[ending[e]];
      if (chord.target != v) maker.add(v, chord);  // else a chord around a cone that ends in its target
    }
    for (auto c = stencil.chord_offsets[v]; c < stencil.chord_offsets[v + 1]; ++c) {
      maker.connect(v, stencil.chords[c].a, stencil.chords[c].from_a);
      maker.connect(v, stencil.chords[c].b, stencil.chords[c].from_b);
    }
  }
}

void measure_edges(const Surface& surface, Stencil& stencil) {
  std::vector<float> lengths;
  lengths.reserve(3 * static_cast<std::size_t>(surface.triangles.rows()));
  for (Index f = 0; f < surface.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      lengths.push_back(static_cast<float>((surface.points.row(surface.triangles(f, k)) -
                                            surface.points.row(surface.triangles(f, (k + 1) % 3)))
                                               .norm()));
  if (lengths.empty()) return;
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  stencil.typical_edge = *middle;
  for (const Chord& chord : stencil.chords)
    stencil.longest = std::max({stencil.longest, chord.from_a, chord.from_b, chord.length});
}

}  // namespace

Stencil make_stencil(const Surface& surface, int ring) {
  if (ring != 1 && ring != 2) throw InputError(text("ring must be 1 or 2, got ", ring));
  Stencil stencil;
  stencil.vertices = static_cast<Index>(surface.points.rows());
  // Two chords for each corner, numbered in 32 bits.
  if (6 * static_cast<std::int64_t>(surface.triangles.rows()) > std::numeric_limits<std::uint32_t>::max())
    throw InputError(
        text("fast marching supports at most 715 million triangles, got ", surface.triangles.rows()));
  gather_chords(surface, ChordMaker(surface, ring), stencil);
  scatter_chords(stencil);
  measure_edges(surface, stencil);
  return stencil;
}

}  // namespace geodome::internal
