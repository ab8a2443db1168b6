#include "geodome/geodesic/exact/windows.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

#include "geodome/base/threads.h"
#include "geodome/geodesic/exact/windows_trim.h"

namespace geodome::internal {
namespace {

constexpr double shadow_tolerance = 1e-12;  // an angle; a bend emits this much beyond its shadow
// Shorter by less than this is rounding, and would be emitted again.
constexpr double real_progress = 1 - 1e-14;

constexpr std::int64_t bucket_count = 512;
/// Some milliseconds.
constexpr std::int64_t windows_per_poll = 100000;

/// A sphere of F faces has about 0.7 F^1.5 windows.
std::int64_t window_bound(Index half_edges) {
  const double faces = std::max(20.0, static_cast<double>(half_edges) / 3);
  return static_cast<std::int64_t>(60 * faces * std::sqrt(faces));
}

double squared(double value) {
  return value * value;
}

/// Of the shortest path of a window to its edge.
double nearest_length(const Window& window) {
  const double nearest = std::clamp(window.x, window.low, window.high);
  return window.sigma + std::sqrt(squared(window.x - nearest) + squared(window.y));
}

/// As seen from the other end of its edge.
Window reversed(const Window& window, double length) {
  return {length - window.high, length - window.low, length - window.x, window.y, window.sigma};
}

}  // namespace

WindowPropagation::WindowPropagation(const HalfEdges& edges)
    : edges_(edges),
      distance_(edges.vertices(), infinity),
      arrival_(edges.vertices()),
      turn_(edges.vertices()),
      sides_(edges.size()),
      waiting_(edges.size(), -1),
      accepted_(edges.crossings()),
      most_windows_(window_bound(edges.size())),
      buckets_(bucket_count) {
  // Half a mean edge: narrower buckets order no better, wider ones propagate windows that die later.
  if (edges.mean_length() > 0) buckets_per_length_ = 2 / edges.mean_length();
}

void WindowPropagation::run(Index source, double limit) {
  reset();
  limit_ = limit;
  start(source);
}

void WindowPropagation::run_to(Index source, std::span<const Index> targets) {
  reset();
  limit_ = infinity;
  targets_.assign(targets.begin(), targets.end());
  unreached_ = targets_.size();
  start(source);
}

void WindowPropagation::start(Index source) {
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
    if (edges_[h].crossing >= 0) accepted_[edges_[h].crossing].clear();
  }
  reached_.clear();
  touched_.clear();
  blocks_.clear();
  free_ = -1;
  bucket_ = pending_ = 0;
  targets_.clear();
  counts_ = {};
}

/// What is longer than the paths to all targets so far improves none of them.
void WindowPropagation::limit_to_targets() {
  while (unreached_ > 0 && distance_[targets_[unreached_ - 1]] < infinity) --unreached_;
  if (unreached_ > 0) return;
  limit_ = 0;
  for (const Index target : targets_) limit_ = std::max(limit_, distance_[target]);
}

WindowPropagation::Bucket& WindowPropagation::bucket_at(double key) {
  // A key beyond the ring is served too early: the order matters for speed only.
  const auto wanted = static_cast<std::int64_t>(key * buckets_per_length_);
  ++pending_;
  return buckets_[std::clamp(wanted, bucket_, bucket_ + bucket_count - 1) % bucket_count];
}

void WindowPropagation::drain() {
  std::int64_t next_poll = windows_per_poll;
  while (pending_ > 0) {
    Bucket& bucket = buckets_[bucket_ % bucket_count];
    if (bucket.half_edges.empty() && bucket.bends.empty()) {
      ++bucket_;
      if (!targets_.empty()) limit_to_targets();
      continue;
    }
    std::swap(current_, bucket);
    pending_ -= static_cast<std::int64_t>(current_.half_edges.size() + current_.bends.size());
    for (const Bend& bend : current_.bends)
      if (distance_[bend.vertex] == bend.distance) emit_shadow(bend.vertex);
    for (const Index h : current_.half_edges) {
      propagate(h);
      if (counts_.windows > most_windows_) return abandon();
      if (counts_.windows >= next_poll) {
        next_poll = counts_.windows + windows_per_poll;
        stop_if_cancelled();
      }
    }
    current_.half_edges.clear();
    current_.bends.clear();
  }
}

/// Drops every window and bend that waits.
void WindowPropagation::abandon() {
  counts_.complete = false;
  buckets_[0].half_edges.insert(buckets_[0].half_edges.end(), current_.half_edges.begin(),
                                current_.half_edges.end());
  for (Bucket& bucket : buckets_) {
    for (const Index h : bucket.half_edges) waiting_[h] = -1;
    bucket.half_edges.clear();
    bucket.bends.clear();
  }
  current_.half_edges.clear();
  current_.bends.clear();
  pending_ = 0;
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
  Side& side = sides_[h];
  counts_.windows += bundle_.count;
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
  split_at_apex(edge, bundle_, approach, side.best, side.crossing, edges_.branches(), to_left, to_right);

  const double a = distance_[edge.a], b = distance_[edge.b], apex = distance_[edge.apex];
  const Exit left{edge.length, edge.a_apex, edge.x / edge.a_apex, edge.y / edge.a_apex, a, apex, b, false};
  Exit right{edge.length, edge.b_apex, (edge.length - edge.x) / edge.b_apex, edge.y / edge.b_apex, b, apex,
             a,           true};
  if (edge.crossing >= 0) {
    // In a needle, length - x has no digits left; the side that begins at b has them.
    const HalfEdge& at_b = edges_[HalfEdges::right_of(h)];
    right.along = at_b.x / edge.length;
    right.across = at_b.y / edge.length;
  }
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
  const auto seen_from = [&](bool same_end) { return same_end ? window : reversed(window, left.length); };
  if (left.crossing < 0) {
    const Window here = seen_from(from_a == left.parallel);
    enqueue(left.next, here);
    return;
  }
  for (Index h = left.next; h != out; h = edges_[h].next) {
    Window here = seen_from(from_a == (edges_[h].a == left.a));
    if (accept(h, out, here)) enqueue(h, here);
  }
}

/// Cuts off what another window on the same edge does better. Where sheets meet, the ways to go multiply at
/// every crossing. And around a sliver, paths wind many times before they are longer at a vertex by more than
/// rounding; on an edge they are longer the second time, or as long.
bool WindowPropagation::accept(Index h, Index from, Window& window) {
  const HalfEdge& edge = edges_[h];
  const double tie = tie_length(window, edge.length);
  Window here = edge.a < edge.b ? window : reversed(window, edge.length);
  std::vector<Accepted>& accepted = accepted_[edge.crossing];
  // Of two as long in the same direction one is enough. In another direction the other one goes elsewhere.
  for (const Accepted& other : accepted)
    if (!trim(here, other.window, other.half_edge == h ? tie : -tie)) return false;
  if (!is_open(here, edge.length)) return false;
  touch(h);
  accepted.push_back({here, h, from});
  window = edge.a < edge.b ? here : reversed(here, edge.length);
  return true;
}

Index WindowPropagation::came_from(Index h, const Window& window) const {
  const HalfEdge& edge = edges_[h];
  const Window wanted = edge.a < edge.b ? window : reversed(window, edge.length);
  Index from = -1;
  double nearest = infinity;
  for (const Accepted& one : accepted_[edge.crossing]) {
    if (one.half_edge != h) continue;
    const double outside = std::max({one.window.low - wanted.low, wanted.high - one.window.high, 0.0});
    const double other = std::abs(one.window.x - wanted.x) + std::abs(one.window.y - wanted.y) +
                         std::abs(one.window.sigma - wanted.sigma) + outside;
    if (other < nearest) {
      nearest = other;
      from = one.from;
    }
  }
  return from;
}

void WindowPropagation::touch(Index h) {
  if (sides_[h].touched) return;
  sides_[h].touched = true;
  touched_.push_back(h);
}

void WindowPropagation::enqueue(Index h, const Window& window) {
  Index& first = waiting_[h];
  if (first < 0 || limit_ < infinity) {
    const double key = nearest_length(window);
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
  if (!(distance < distance_[v] * real_progress)) {
    // Of two paths as long, the one that is straight farther back shows the direction more precisely.
    if (distance * real_progress <= distance_[v] && distance < infinity &&
        straight(arrival) > straight(arrival_[v]))
      arrival_[v] = arrival;
    return;
  }
  if (distance_[v] == infinity) reached_.push_back(v);
  distance_[v] = distance;
  arrival_[v] = arrival;
  if (edges_.bends(v) && distance <= limit_) bucket_at(distance).bends.push_back({v, distance});
}

/// The length of the last straight piece of a path.
double WindowPropagation::straight(const Arrival& arrival) const {
  const HalfEdge& home = edges_[arrival.half_edge];
  return std::sqrt(squared(arrival.x - home.x) + squared(arrival.y + home.y));
}

/// From the apex of a corner along the edge to a, or to b.
WindowPropagation::Arrival WindowPropagation::along_to_a(Index corner) const {
  const Index at_a = HalfEdges::right_of(corner);
  return {at_a, edges_[at_a].length, 0};
}

WindowPropagation::Arrival WindowPropagation::along_to_b(Index corner) const {
  return {HalfEdges::left_of(corner), 0, 0};
}

/// The two edges from the apex of a corner that lies at `distance`.
void WindowPropagation::relax_edges(Index corner, double distance) {
  const HalfEdge& edge = edges_[corner];
  reach(edge.a, distance + edge.a_apex, along_to_a(corner));
  reach(edge.b, distance + edge.b_apex, along_to_b(corner));
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
  const double tolerance = direction_error(v);
  const auto emit_between = [&](Index corner, double turn_to_a, double turn_to_b) {
    relax_edges(corner, distance);
    if (corner == arrival.half_edge) return;
    const double angle = edges_.angle(corner);
    emit(corner, std::max(0.0, std::numbers::pi - turn_to_a - tolerance),
         std::min(angle, angle + turn_to_b - std::numbers::pi + tolerance), distance);
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

/// How far the direction of the path that arrives at v may be off: by rounding, or, around slivers, because
/// there is another path as short whose window was dropped.
double WindowPropagation::direction_error(Index v) const {
  const Arrival& arrival = arrival_[v];
  const double edge = edges_[arrival.half_edge].length, reach = straight(arrival);
  double error = shadow_tolerance + coordinate_rounding * edge / reach;
  if (edges_.touches_sliver(v)) error += turn_within_tie(distance_[v], reach, edge);
  return error;
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
  const double rounding = coordinate_rounding * edge.length;
  if (from > 0) window.low = std::max(hit(from, 0) - rounding, 0.0);
  if (to < edges_.angle(corner)) window.high = std::min(hit(to, edge.length) + rounding, edge.length);
  if (!is_open(window, edge.length)) return;
  if (!beaten_from_ends(distance_[edge.a], distance_[edge.b], edge.length, window))
    store(corner, true, window);
}

/// A path along edges is never shorter than the result unless rounding lost a window; then it stands in for
/// it.
void WindowPropagation::repair() {
  using Item = std::pair<double, Index>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const auto relax = [&](Index from, Index to, double length, const Arrival& arrival) {
    const double through = distance_[from] + length;
    if (!(through * (1 + 1e-12) < distance_[to]) || distance_[from] > limit_) return;
    if (distance_[to] == infinity) reached_.push_back(to);
    distance_[to] = through;
    arrival_[to] = arrival;
    queue.push({through, to});
    ++counts_.repairs;
  };
  const auto relax_from = [&](Index v) {
    for (const Index corner : edges_.corners(v)) {
      relax(v, edges_[corner].a, edges_[corner].a_apex, along_to_a(corner));
      relax(v, edges_[corner].b, edges_[corner].b_apex, along_to_b(corner));
    }
  };
  if (reached_.size() > distance_.size() / 4) {  // most of the surface: reading it in order is faster
    for (Index h = 0; h < edges_.size(); ++h) {
      relax(edges_[h].a, edges_[h].b, edges_[h].length, along_to_a(HalfEdges::right_of(h)));
      relax(edges_[h].b, edges_[h].a, edges_[h].length, along_to_b(HalfEdges::left_of(h)));
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

}  // namespace geodome::internal
