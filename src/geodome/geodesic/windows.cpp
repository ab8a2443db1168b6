#include "geodome/geodesic/windows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

#include "geodome/geodesic/windows_trim.h"

namespace geodome {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double shadow_tolerance = 1e-12;  // an angle; a bend emits this much beyond its shadow
// Shorter by less than this is rounding, and would be emitted again.
constexpr double real_progress = 1 - 1e-14;

constexpr std::int64_t bucket_count = 512;

double squared(double value) {
  return value * value;
}

}  // namespace

WindowPropagation::WindowPropagation(const HalfEdges& edges)
    : edges_(edges),
      distance_(edges.vertices(), infinity),
      arrival_(edges.vertices()),
      turn_(edges.vertices()),
      sides_(edges.size()),
      waiting_(edges.size(), -1),
      accepted_(edges.branches()),
      buckets_(bucket_count) {
  // Half a mean edge: narrower buckets order no better, wider ones propagate windows that die later.
  if (edges.mean_length() > 0) buckets_per_length_ = 2 / edges.mean_length();
}

void WindowPropagation::run(Index source, double limit) {
  reset();
  limit_ = limit;
  distance_[source] = 0;
  reached_.push_back(source);
  emit_all(source);
  drain();
  repair();
}

/// Undoes only what the last run touched, so that a small ball stays cheap on a large surface.
void WindowPropagation::reset() {
  for (const Index v : reached_) distance_[v] = infinity;
  for (const Index h : touched_) {
    sides_[h] = Side{};
    if (edges_[h].branch >= 0) accepted_[edges_[h].branch].clear();
  }
  reached_.clear();
  touched_.clear();
  blocks_.clear();
  free_ = -1;
  bucket_ = pending_ = 0;
  counts_ = {};
}

WindowPropagation::Bucket& WindowPropagation::bucket_at(double key) {
  // A key beyond the ring is served too early: the order matters for speed only.
  const auto wanted = static_cast<std::int64_t>(key * buckets_per_length_);
  ++pending_;
  return buckets_[std::clamp(wanted, bucket_, bucket_ + bucket_count - 1) % bucket_count];
}

void WindowPropagation::drain() {
  while (pending_ > 0) {
    Bucket& bucket = buckets_[bucket_ % bucket_count];
    if (bucket.half_edges.empty() && bucket.bends.empty()) {
      ++bucket_;
      continue;
    }
    std::swap(current_, bucket);
    pending_ -= static_cast<std::int64_t>(current_.half_edges.size() + current_.bends.size());
    for (const Bend& bend : current_.bends)
      if (distance_[bend.vertex] == bend.distance) emit_shadow(bend.vertex);
    for (const Index h : current_.half_edges) propagate(h);
    current_.half_edges.clear();
    current_.bends.clear();
  }
}

/// Brings closer what propagating over h will read: its turn comes soon.
void WindowPropagation::prefetch(Index h) const {
  const HalfEdge* triangle = &edges_[h - h % 3];
  for (int k = 0; k < 3; ++k) __builtin_prefetch(triangle + k);
  __builtin_prefetch(&sides_[h]);
}

/// Carries the waiting windows of h through its triangle, over one or both of the other sides.
void WindowPropagation::propagate(Index h) {
  touch(h);
  Index item = std::exchange(waiting_[h], -1);
  bundle_.count = 0;
  while (item >= 0) {
    if (bundle_.count + blocks_[item].count > Bundle::most) pass(h);  // may move the blocks
    Block& block = blocks_[item];
    for (Index i = 0; i < block.count; ++i) bundle_.add(block.windows[i]);
    const Index next = std::exchange(block.next, free_);
    free_ = std::exchange(item, next);
  }
  if (bundle_.count > 0) pass(h);
}

/// Those in the bundle, and empties it.
void WindowPropagation::pass(Index h) {
  counts_.windows += bundle_.count;
  Side& side = sides_[h];
  const HalfEdge& edge = edges_[h];
  Approach approach;
  approach_apex(edge, bundle_, approach);
  const double* shortest = std::min_element(approach.length, approach.length + bundle_.count);
  if (*shortest < infinity) {
    const auto i = shortest - approach.length;
    if (*shortest < side.best) {
      side.best = *shortest;
      side.crossing = approach.crossing[i];
    }
    reach(edge.apex, *shortest, {h, bundle_.x[i], bundle_.y[i]});
  }
  alignas(32) double to_left[Bundle::most], to_right[Bundle::most];
  split_at_apex(edge, bundle_, approach, side.best, side.crossing, edges_.branches() > 0, to_left, to_right);

  const double a = distance_[edge.a], b = distance_[edge.b], apex = distance_[edge.apex];
  const Exit left{edge.length, edge.a_apex, edge.x / edge.a_apex, edge.y / edge.a_apex, a, apex, b, false};
  const Exit right{
      edge.length, edge.b_apex, (edge.length - edge.x) / edge.b_apex, edge.y / edge.b_apex, b, apex, a, true};
  for (std::uint64_t kept = leave_triangle(left, bundle_, to_left, children_); kept; kept &= kept - 1)
    store(HalfEdges::left_of(h), false, children_[std::countr_zero(kept)]);
  for (std::uint64_t kept = leave_triangle(right, bundle_, to_right, children_); kept; kept &= kept - 1)
    store(HalfEdges::right_of(h), true, children_[std::countr_zero(kept)]);
  bundle_.count = 0;
}

/// Hands a window on half-edge `out`, measured from its end a or b, to all other triangles of the edge.
void WindowPropagation::store(Index out, bool from_a, const Window& window) {
  const HalfEdge& left = edges_[out];
  if (left.next == out) return;
  const auto seen_from = [&](bool same_end) {
    if (same_end) return window;
    return Window{left.length - window.high, left.length - window.low, left.length - window.x, window.y,
                  window.sigma};
  };
  if (left.branch < 0) {
    const Window here = seen_from(from_a == left.parallel);
    if (here.y > 0 || accept_rooted(left.next, here)) enqueue(left.next, here);
    return;
  }
  for (Index h = left.next; h != out; h = edges_[h].next) {
    Window here = seen_from(from_a == (edges_[h].a == left.a));
    if (here.y > 0 ? accept(h, here) : accept_rooted(h, here)) enqueue(h, here);
  }
}

/// Where sheets meet, the ways to go multiply at every crossing, and only comparing all of them keeps their
/// number down: what another window on the same half-edge does better is cut off.
bool WindowPropagation::accept(Index h, Window& window) {
  std::vector<Window>& accepted = accepted_[edges_[h].branch];
  for (const Window& other : accepted)
    if (!trim(window, other)) return false;
  if (!(window.high - window.low > narrowest_window * edges_[h].length)) return false;
  touch(h);
  accepted.push_back(window);
  return true;
}

/// A root on the line of the edge, as triangles without area make it, sees beyond only what it touches; and
/// since crossing such triangles costs nothing, it could go around them for ever.
bool WindowPropagation::accept_rooted(Index h, const Window& window) {
  if (window.x < window.low || window.x > window.high) return false;
  Side& side = sides_[h];
  if (!(window.sigma < side.rooted * real_progress)) return false;
  touch(h);
  side.rooted = window.sigma;
  return true;
}

void WindowPropagation::touch(Index h) {
  if (sides_[h].touched) return;
  sides_[h].touched = true;
  touched_.push_back(h);
}

void WindowPropagation::enqueue(Index h, const Window& window) {
  Index& first = waiting_[h];
  if (first < 0 || limit_ < infinity) {
    const double nearest = std::clamp(window.x, window.low, window.high);
    const double key = window.sigma + std::sqrt(squared(window.x - nearest) + squared(window.y));
    if (key > limit_) return;
    if (first < 0) {
      bucket_at(key).half_edges.push_back(h);
      prefetch(h);
    }
  }
  if (first < 0 || blocks_[first].count == Block::most) {
    const Index item = free_ >= 0 ? free_ : static_cast<Index>(blocks_.size());
    if (free_ >= 0)
      free_ = blocks_[item].next;
    else
      blocks_.emplace_back();
    blocks_[item].count = 0;
    blocks_[item].next = std::exchange(first, item);
  }
  Block& block = blocks_[first];
  block.windows[block.count++] = window;
}

void WindowPropagation::reach(Index v, double distance, const Arrival& arrival) {
  if (!(distance < distance_[v] * real_progress)) return;
  if (distance_[v] == infinity) reached_.push_back(v);
  distance_[v] = distance;
  arrival_[v] = arrival;
  if (edges_.bends(v) && distance <= limit_) bucket_at(distance).bends.push_back({v, distance});
}

/// The two edges from the apex of a corner that lies at `distance`.
void WindowPropagation::relax_edges(Index corner, double distance) {
  const HalfEdge& edge = edges_[corner];
  const Index at_a = HalfEdges::right_of(corner), at_b = HalfEdges::left_of(corner);
  reach(edge.a, distance + edge.a_apex, {at_a, edges_[at_a].length, 0});
  reach(edge.b, distance + edge.b_apex, {at_b, 0, 0});
}

void WindowPropagation::emit_all(Index v) {
  for (const Index corner : edges_.corners(v)) {
    relax_edges(corner, distance_[v]);
    emit(corner, 0, edges_.angle(corner), distance_[v]);
  }
}

/// A shortest path bends at v only where it leaves both sides an angle of at least pi.
void WindowPropagation::emit_shadow(Index v) {
  const double distance = distance_[v];
  const Arrival& arrival = arrival_[v];
  const auto emit_between = [&](Index corner, double turn_to_a, double turn_to_b) {
    relax_edges(corner, distance);
    if (corner == arrival.half_edge) return;
    const double angle = edges_.angle(corner);
    emit(corner, std::max(0.0, pi - turn_to_a - shadow_tolerance),
         std::min(angle, angle + turn_to_b - pi + shadow_tolerance), distance);
  };
  const double around = edges_.closed_angle(v);
  if (around < 0) {
    turn_around(v);
    for (const Index corner : edges_.corners(v))
      emit_between(corner, turn_[edges_[corner].a], turn_[edges_[corner].b]);
    return;
  }
  const double to_a = edges_.direction_of_a(arrival.half_edge),
               to_b = edges_.direction_of_b(arrival.half_edge);
  const double turned = turn_from_a(arrival);
  const double back = to_b > to_a ? to_a + turned : to_a - turned;
  const auto turn_to = [&](double direction) {
    const double turn = std::abs(direction - back);
    return std::min(turn, around - turn);
  };
  for (const Index corner : edges_.corners(v))
    emit_between(corner, turn_to(edges_.direction_of_a(corner)), turn_to(edges_.direction_of_b(corner)));
}

/// The angle at which a path arrives in the corner it comes through, from the side to a.
double WindowPropagation::turn_from_a(const Arrival& arrival) const {
  const HalfEdge& home = edges_[arrival.half_edge];
  const double back_x = arrival.x - home.x, back_y = -arrival.y - home.y;
  const double turn =
      std::atan2(std::abs(home.x * back_y - home.y * back_x), -home.x * back_x - home.y * back_y);
  return std::min(turn, edges_.angle(arrival.half_edge));
}

/// The angles from the arriving direction to every neighbour of v: shortest paths in the graph whose nodes
/// are the edges at v and whose arcs are its corners, which holds for fans, branching edges and any mixture.
void WindowPropagation::turn_around(Index v) {
  const std::span<const Index> corners = edges_.corners(v);
  for (const Index corner : corners) turn_[edges_[corner].a] = turn_[edges_[corner].b] = infinity;
  const Arrival& arrival = arrival_[v];
  const HalfEdge& home = edges_[arrival.half_edge];
  turn_[home.a] = turn_from_a(arrival);
  turn_[home.b] = edges_.angle(arrival.half_edge) - turn_[home.a];
  bool changed = true;
  const auto pass = [&](Index corner) {
    const HalfEdge& edge = edges_[corner];
    const double angle = edges_.angle(corner);
    double &a = turn_[edge.a], &b = turn_[edge.b];
    changed |= a + angle < b || b + angle < a;
    b = std::min(b, a + angle);
    a = std::min(a, b + angle);
  };
  while (changed) {
    changed = false;
    std::for_each(corners.begin(), corners.end(), pass);
    std::for_each(corners.rbegin(), corners.rend(), pass);
  }
}

/// Opens a window over the edge opposite to a corner, between two angles measured from the side to a.
void WindowPropagation::emit(Index corner, double from, double to, double sigma) {
  if (!(to > from)) return;
  const HalfEdge& edge = edges_[corner];
  const auto hit = [&](double angle, double beyond) {
    const double sine = std::sin(angle), cosine = std::cos(angle);
    const double fall = edge.x * sine + edge.y * cosine;
    if (!(fall > 0)) return beyond;
    return std::clamp(edge.x + (edge.y * sine - edge.x * cosine) * edge.y / fall, 0.0, edge.length);
  };
  Window window{0, edge.length, edge.x, edge.y, sigma};
  if (from > 0) window.low = hit(from, 0);
  if (to < edges_.angle(corner)) window.high = hit(to, edge.length);
  if (!(window.high - window.low > narrowest_window * edge.length)) return;
  if (!beaten_from_ends(distance_[edge.a], distance_[edge.b], edge.length, window))
    store(corner, true, window);
}

/// A path along edges is never shorter than the result unless rounding lost a window; then it stands in for
/// it.
void WindowPropagation::repair() {
  using Item = std::pair<double, Index>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const auto relax = [&](Index from, Index to, double length) {
    const double through = distance_[from] + length;
    if (!(through * (1 + 1e-12) < distance_[to]) || distance_[from] > limit_) return;
    if (distance_[to] == infinity) reached_.push_back(to);
    distance_[to] = through;
    queue.push({through, to});
    ++counts_.repairs;
  };
  const auto relax_from = [&](Index v) {
    for (const Index corner : edges_.corners(v)) {
      relax(v, edges_[corner].a, edges_[corner].a_apex);
      relax(v, edges_[corner].b, edges_[corner].b_apex);
    }
  };
  if (reached_.size() > distance_.size() / 4) {  // most of the surface: reading it in order is faster
    for (Index h = 0; h < edges_.size(); ++h) {
      relax(edges_[h].a, edges_[h].b, edges_[h].length);
      relax(edges_[h].b, edges_[h].a, edges_[h].length);
    }
  } else {
    for (std::size_t i = 0; i < reached_.size(); ++i) relax_from(reached_[i]);
  }
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance == distance_[v]) relax_from(v);
  }
}

}  // namespace geodome
