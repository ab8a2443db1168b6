#include "geodome/geodesic/marching/stencil.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <optional>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"
#include "geodome/base/threads.h"
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
  ChordMaker(const Surface& surface, int ring, const Execution& execution)
      : surface_(surface),
        ring_(ring),
        corners_(surface.triangles, static_cast<Index>(surface.points.rows())),
        opposite_(opposite_sides(surface.triangles, corners_, execution)) {}

  /// The most chords whose target is this vertex.
  std::size_t most_chords(Index target) const { return 2 * corners_[target].size(); }

  /// Appends them.
  void add_chords(Index target, LargeVector<Chord>& chords) const {
    for (const Index corner : corners_[target])
      visit_corner(corner / 3, corner % 3, [&](const FlatCorner& flat) { chords.push_back(chord_of(flat)); });
  }

 private:
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
  VertexCorners corners_;
  std::vector<Index> opposite_;
};

/// Where a chord ends that lies in another block.
struct ChordEnd {
  Index vertex = 0;
  const Chord* chord = nullptr;
};

/// What a block needs to make its fans, beside its own chords.
struct ForeignChords {
  std::vector<ChordEnd> ends;  ///< by the chords' targets
  std::size_t before = 0;      ///< how many of them have targets in earlier blocks
};

/// Fills the blocks with their chords, and finds those that end in other blocks.
std::vector<ForeignChords> gather_chords(const ChordMaker& maker, Stencil& stencil,
                                         const Execution& execution) {
  const auto blocks = static_cast<std::size_t>(block_count(stencil.vertices));
  stencil.chord_blocks.resize(blocks);
  std::vector<std::vector<ChordEnd>> leaving(blocks);
  parallel_for(blocks, {execution.threads, {}}, {}, [&](std::size_t item, int) {
    const Index first = static_cast<Index>(item) * vertices_per_stencil_block;
    const Index last = std::min(stencil.vertices, first + vertices_per_stencil_block);
    ChordBlock& block = stencil.chord_blocks[item];
    std::size_t most = 0;
    for (Index v = first; v < last; ++v) most += maker.most_chords(v);
    block.chords.reserve(most);  // what is not used takes no memory
    block.begin.reserve(static_cast<std::size_t>(last - first) + 1);
    block.begin.push_back(0);
    for (Index v = first; v < last; ++v) {
      maker.add_chords(v, block.chords);
      block.begin.push_back(static_cast<std::uint32_t>(block.chords.size()));
    }
    for (const Chord& chord : block.chords)
      for (const Index end : {chord.a, chord.b})
        if (end < first || end >= last) leaving[item].push_back({end, &chord});
  });
  std::vector<ForeignChords> foreign(blocks);
  for (std::size_t from = 0; from < blocks; ++from) {
    foreign[from].before = foreign[from].ends.size();
    for (const ChordEnd& end : leaving[from])
      foreign[end.vertex / vertices_per_stencil_block].ends.push_back(end);
    leaving[from] = {};
  }
  return foreign;
}

/// Packs chords into the fans of their ends.
class FanMaker {
 public:
  explicit FanMaker(PageBlock<Fan>& fans) : fans_(fans) {}

  /// All that follows belongs to the fans of this vertex.
  void begin(Index vertex) {
    vertex_ = fan_ = vertex;
    clear();
  }

  /// A chord that ends in the vertex.
  void add(const Chord& chord) {
    const bool from_a = chord.a == vertex_, crossable = chord.length > 0;
    const float edge = from_a ? chord.from_a : chord.from_b;
    const Index other = from_a ? chord.b : chord.a;
    const Fan& fan = fans_[fan_];
    const int used = fan.used;
    int target_slot = find_slot(fan, chord.target, edge);
    int other_slot = crossable ? find_slot(fan, other, chord.length) : 0;
    const int missing = (target_slot == used) + (crossable && other_slot == used);
    if (used + missing > Fan::slots || (crossable && target_slot < used && free_layer(target_slot) < 0)) {
      continue_in_new_fan();
      target_slot = add_slot(chord.target, edge);
      other_slot = used;
    } else if (target_slot == used) {
      add_slot(chord.target, edge);
    }
    if (!crossable) return;
    // The chord lies flat between its ends, so it is a straight connection as well.
    if (other_slot == used) other_slot = slot_of(other, chord.length);
    add_ray(target_slot, other_slot, from_a ? chord.x : chord.length - chord.x, chord.y);
  }

  /// What is straight is so both ways, also where strips of faces unfold one way only.
  void connect(Index neighbour, float edge) {
    for (Index f = vertex_; f >= 0; f = fans_[f].next)
      if (neighbour == vertex_ || find_slot(fans_[f], neighbour, edge) < fans_[f].used) return;
    if (fans_[fan_].used == Fan::slots) continue_in_new_fan();
    add_slot(neighbour, edge);
  }

 private:
  void clear() {
    Fan& fan = fans_[fan_];
    std::fill_n(fan.neighbour, Fan::slots, vertex_);
    std::fill_n(fan.edge, Fan::slots, 1.0f);
    for (int layer = 0; layer < Fan::layers; ++layer) {
      std::fill_n(fan.other[layer], Fan::slots, std::uint8_t{0});
      std::fill_n(fan.x[layer], Fan::slots, Fan::no_ray);
      std::fill_n(fan.y[layer], Fan::slots, std::int16_t{0});
    }
    fan.used = 0;
    fan.next = -1;
  }

  void continue_in_new_fan() {
    fan_ = fans_.add_after(fan_);
    clear();
  }

  int add_slot(Index neighbour, float edge) {
    Fan& fan = fans_[fan_];
    fan.neighbour[fan.used] = neighbour;
    fan.edge[fan.used] = edge;
    return fan.used++;
  }

  int slot_of(Index neighbour, float edge) {
    const int slot = find_slot(fans_[fan_], neighbour, edge);
    return slot < fans_[fan_].used ? slot : add_slot(neighbour, edge);
  }

  /// The first layer without a ray to the slot, or -1.
  int free_layer(int slot) {
    const Fan& fan = fans_[fan_];
    for (int layer = 0; layer < Fan::layers; ++layer)
      if (!fan.has_ray(layer, slot)) return layer;
    return -1;
  }

  void add_ray(int target, int other, float x, float y) {
    Fan& fan = fans_[fan_];
    const int layer = free_layer(target);
    const auto [cosine, sine] = direction_of(x, y);
    fan.other[layer][target] = static_cast<std::uint8_t>(other);
    fan.x[layer][target] = cosine;
    fan.y[layer][target] = sine;
  }

  PageBlock<Fan>& fans_;
  Index vertex_ = -1;
  Index fan_ = 0;
};

/// The chords of all blocks that end in one of them, by their ends and then by their targets.
class EndingChords {
 public:
  EndingChords(const ChordBlock& block, const ForeignChords& foreign, Index first, Index last)
      : first_(first), begin_(static_cast<std::size_t>(last - first) + 1, 0) {
    visit(block, foreign, last, [&](Index v, const Chord*) { ++begin_[v + 1]; });
    for (std::size_t v = 1; v < begin_.size(); ++v) begin_[v] += begin_[v - 1];
    chords_.resize(begin_.back());
    std::vector<std::size_t> place(begin_.begin(), begin_.end() - 1);
    visit(block, foreign, last, [&](Index v, const Chord* chord) { chords_[place[v]++] = chord; });
  }

  std::span<const Chord* const> operator[](Index vertex) const {
    const auto v = static_cast<std::size_t>(vertex - first_);
    return std::span(chords_).subspan(begin_[v], begin_[v + 1] - begin_[v]);
  }

 private:
  template <typename Use>
  void visit(const ChordBlock& block, const ForeignChords& foreign, Index last, const Use& use) const {
    const std::span<const ChordEnd> ends(foreign.ends);
    for (const ChordEnd& end : ends.first(foreign.before)) use(end.vertex - first_, end.chord);
    for (const Chord& chord : block.chords)
      for (const Index end : {chord.a, chord.b})
        if (end >= first_ && end < last) use(end - first_, &chord);
    for (const ChordEnd& end : ends.subspan(foreign.before)) use(end.vertex - first_, end.chord);
  }

  Index first_;
  std::vector<std::size_t> begin_;
  std::vector<const Chord*> chords_;
};

void make_fans(std::vector<ForeignChords> foreign, Stencil& stencil, const Execution& execution) {
  stencil.fans = make_pages<Fan>(stencil.vertices);
  std::vector<PageBlock<Fan>> blocks(foreign.size(), PageBlock<Fan>(stencil.fans, stencil.vertices));
  parallel_for(blocks.size(), {execution.threads, {}}, {}, [&](std::size_t item, int) {
    const Index first = static_cast<Index>(item) * vertices_per_stencil_block;
    const Index last = std::min(stencil.vertices, first + vertices_per_stencil_block);
    const EndingChords ending(stencil.chord_blocks[item], foreign[item], first, last);
    FanMaker maker(blocks[item]);
    for (Index v = first; v < last; ++v) {
      maker.begin(v);
      for (const Chord* chord : ending[v])
        if (chord->target != v) maker.add(*chord);  // else a chord around a cone that ends in its target
      for (const Chord& chord : stencil.chords_of(v)) {
        maker.connect(chord.a, chord.from_a);
        maker.connect(chord.b, chord.from_b);
      }
    }
  });
  join(stencil.fans, blocks);
}

void measure_edges(const Surface& surface, Stencil& stencil, const Execution& execution) {
  std::vector<float> lengths(3 * static_cast<std::size_t>(surface.triangles.rows()));
  if (lengths.empty()) return;
  parallel_pieces(surface.triangles.rows(), piece_size, execution, [&](std::int64_t begin, std::int64_t end) {
    for (auto f = static_cast<Index>(begin); f < end; ++f)
      for (int k = 0; k < 3; ++k)
        lengths[3 * static_cast<std::size_t>(f) + static_cast<std::size_t>(k)] =
            static_cast<float>((surface.points.row(surface.triangles(f, k)) -
                                surface.points.row(surface.triangles(f, (k + 1) % 3)))
                                   .norm());
  });
  const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
  std::nth_element(lengths.begin(), middle, lengths.end());
  stencil.typical_edge = *middle;
  for (const ChordBlock& block : stencil.chord_blocks)
    for (const Chord& chord : block.chords)
      stencil.longest = std::max({stencil.longest, chord.from_a, chord.from_b, chord.length});
}

}  // namespace

void ChordBlock::release() {
  release_pages(chords.data(), chords.size() * sizeof(Chord));
  *this = {};
}

void Stencil::forget_chords() {
  for (ChordBlock& block : chord_blocks) block.release();
  chord_blocks = {};
}

Stencil make_stencil(const Surface& surface, int ring, const Execution& execution) {
  if (ring != 1 && ring != 2) throw InputError(text("ring must be 1 or 2, got ", ring));
  Stencil stencil;
  stencil.vertices = static_cast<Index>(surface.points.rows());
  // Corners are numbered by an Index.
  if (3 * static_cast<std::int64_t>(surface.triangles.rows()) > std::numeric_limits<Index>::max())
    throw InputError(
        text("fast marching supports at most 715 million triangles, got ", surface.triangles.rows()));
  make_fans(gather_chords(ChordMaker(surface, ring, execution), stencil, execution), stencil, execution);
  measure_edges(surface, stencil, execution);
  return stencil;
}

}  // namespace geodome::internal
