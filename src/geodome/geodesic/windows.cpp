#include "geodome/geodesic/windows.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <queue>
#include <utility>

#include "geodome/geodesic/windows_trim.h"

namespace geodome {
namespace {

constexpr double pi = std::numbers::pi;
/// The tolerances below are relative to the local edge, or angles. Each errs towards more windows: a window
/// too many costs time, a window too few a wrong distance.
constexpr double cover_tolerance =
    1e-10;                           // a window reaches this much beyond its ends when it looks for the apex
constexpr double narrowest = 1e-12;  // nothing fits through a narrower window
constexpr double shadow_tolerance = 1e-12;  // a bend emits this much beyond its shadow
constexpr double tie_crossing = 1e-8;       // crossings closer than this are taken as the same ray
constexpr double tie_distance = 1e-13;      // and lengths closer than this as the same length
constexpr double real_progress =
    1 - 1e-14;  // shorter by less than this is rounding, and would be emitted again

constexpr std::int64_t bucket_count = 512;

double squared(double value) {
  return value * value;
}

/// Whether a path of length `other` to the point `at` of the window's edge is shorter than the window's own.
bool beaten(const Window& window, double at, double other) {
  const double rest = other * (1 + tie_distance) - window.sigma;
  return rest <= 0 || squared(rest) <= squared(at - window.x) + squared(window.y);
}

}  // namespace

struct WindowPropagation::Exit {
  Index out;    ///< the half-edge of the triangle that is left
  Index base;   ///< the end shared with the edge the window came through: the origin
  Index third;  ///< the other end of that edge, at (span, 0)
  Index apex;
  double span;
  double side;   ///< length of the exit, from base to apex
  double along;  ///< unit vector from base to apex
  double across;
};

WindowPropagation::WindowPropagation(const HalfEdges& edges)
    : edges_(edges),
      distance_(edges.vertices(), infinity),
      arrival_(edges.vertices()),
      turn_(edges.vertices()),
      sides_(edges.size()),
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
  windows_.clear();
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
    for (const Index h : current_.half_edges) {
      sides_[h].queued = false;
      Index item = std::exchange(sides_[h].waiting, -1);
      while (item >= 0) {
        const Stored stored = windows_[item];
        windows_[item].next = free_;
        free_ = item;
        propagate(h, stored.window);
        item = stored.next;
      }
    }
    current_.half_edges.clear();
    current_.bends.clear();
  }
}

/// Carries a window through the triangle of h, over one or both of the other sides.
void WindowPropagation::propagate(Index h, const Window& window) {
  ++counts_.windows;
  const HalfEdge& edge = edges_[h];
  const double depth = window.y + edge.y;
  // Without any depth, the root lies on the edge and the apex in line with it: every ray crosses where it is.
  const double crossing = depth > 0 ? window.x + (edge.x - window.x) * window.y / depth : edge.x;
  const double slack = cover_tolerance * edge.length;
  bool to_left = crossing > window.low - slack, to_right = crossing < window.high + slack;
  double split_left = window.high, split_right = window.low;
  if (to_left && to_right) {
    // One angle, one split: of two windows that see the apex, the one that is farther from it can win on its
    // own side of the nearer one's path only. A tie decides nothing: on flat ground, two halves of what was
    // one window meet again on the ray through the apex, and each still has its side to serve.
    split_left = split_right = std::clamp(crossing, window.low, window.high);
    const double length = window.sigma + std::sqrt(squared(edge.x - window.x) + squared(depth));
    Side& side = sides_[h];
    if (length < side.best) {
      side.best = length;
      side.crossing = crossing;
    } else if (length > side.best * (1 + tie_distance)) {
      const double tie = tie_crossing * edge.length;
      // That is proven for surfaces, where the two paths have met before. Where sheets meet, only the rays
      // that would cross the nearer path inside this very triangle are lost.
      const bool sheets = edges_.branches() > 0;
      if (crossing < side.crossing - tie) {
        to_right = sheets && side.crossing < window.high;
        split_right = side.crossing;
      } else if (crossing > side.crossing + tie) {
        to_left = sheets && side.crossing > window.low;
        split_left = side.crossing;
      }
    }
    reach(edge.apex, length, {h, window.x, window.y});
  }
  if (to_left) {
    const Exit exit{
        HalfEdges::left_of(h), edge.a, edge.b, edge.apex, edge.length, edge.a_apex, edge.x / edge.a_apex,
        edge.y / edge.a_apex};
    leave(exit, window.low, split_left, window.x, window);
  }
  if (to_right) {
    const Exit exit{HalfEdges::right_of(h),
                    edge.b,
                    edge.a,
                    edge.apex,
                    edge.length,
                    edge.b_apex,
                    (edge.length - edge.x) / edge.b_apex,
                    edge.y / edge.b_apex};
    leave(exit, edge.length - window.high, edge.length - split_right, edge.length - window.x, window);
  }
}

/// The part of a window whose rays cross the exit: those through [low, high], seen from the exit's base.
void WindowPropagation::leave(const Exit& exit, double low, double high, double x, const Window& window) {
  const auto hit = [&](double at) {
    if (exit.across == 0) return std::clamp(at, 0.0, exit.side);  // a triangle without area
    const double closing = exit.along * window.y - exit.across * (at - x);
    return closing > 0 ? std::clamp(window.y * at / closing, 0.0, exit.side) : exit.side;
  };
  Window child;
  child.low = hit(low);
  child.high = hit(high);
  if (!(child.high - child.low > narrowest * exit.side)) return;
  child.x = x * exit.along - window.y * exit.across;
  child.y = std::max(0.0, x * exit.across + window.y * exit.along);
  child.sigma = window.sigma;
  if (beaten_from_ends(exit.base, exit.apex, exit.side, child) || beaten_from_third(exit, child)) return;
  store(exit.out, exit.base, child);
}

/// Xin and Wang's test: a path through an end of the window's edge is shorter everywhere beyond it. The
/// window is measured from the end `base`; the other end is `length` away. As short is not enough: along an
/// edge that points away from the root, rounding makes the straight path and the one through the end equal,
/// and the end of the edge need not be a bend that would emit in its stead.
bool WindowPropagation::beaten_from_ends(Index base, Index end, double length, const Window& window) const {
  return beaten(window, window.high, distance_[base] + window.high) ||
         beaten(window, window.low, distance_[end] + length - window.low);
}

/// The same through the third corner of the triangle just left, whose straight path to the near end of the
/// window crosses all of its rays.
bool WindowPropagation::beaten_from_third(const Exit& exit, const Window& window) const {
  const double third = distance_[exit.third];
  if (third == infinity) return false;
  const double straight =
      std::sqrt(squared(exit.span * exit.along - window.low) + squared(exit.span * exit.across));
  return beaten(window, window.low, third + straight);
}

/// Hands a window on half-edge `out`, measured from its end `base`, to all other triangles of the edge.
void WindowPropagation::store(Index out, Index base, const Window& window) {
  for (Index h = edges_[out].next; h != out; h = edges_[h].next) {
    const HalfEdge& edge = edges_[h];
    Window here = window;
    if (edge.a != base) {
      here.low = edge.length - window.high;
      here.high = edge.length - window.low;
      here.x = edge.length - window.x;
    }
    if (here.y > 0 ? edge.branch < 0 || accept(h, here) : accept_rooted(h, here)) enqueue(h, here);
  }
}

/// Where sheets meet, the ways to go multiply at every crossing, and only comparing all of them keeps their
/// number down: what another window on the same half-edge does better is cut off.
bool WindowPropagation::accept(Index h, Window& window) {
  std::vector<Window>& accepted = accepted_[edges_[h].branch];
  for (const Window& other : accepted)
    if (!trim(window, other)) return false;
  if (!(window.high - window.low > narrowest * edges_[h].length)) return false;
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
  Side& side = sides_[h];
  touch(h);
  if (!side.queued || limit_ < infinity) {
    const double nearest = std::clamp(window.x, window.low, window.high);
    const double key = window.sigma + std::sqrt(squared(window.x - nearest) + squared(window.y));
    if (key > limit_) return;
    if (!side.queued) {
      side.queued = true;
      bucket_at(key).half_edges.push_back(h);
    }
  }
  Index item = free_;
  if (item >= 0) {
    free_ = windows_[item].next;
  } else {
    item = static_cast<Index>(windows_.size());
    windows_.emplace_back();
  }
  windows_[item] = {window, side.waiting};
  side.waiting = item;
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
  turn_around(v);
  const double distance = distance_[v];
  for (const Index corner : edges_.corners(v)) {
    relax_edges(corner, distance);
    const HalfEdge& edge = edges_[corner];
    const double angle = edges_.angle(corner);
    if (corner == arrival_[v].half_edge) continue;
    emit(corner, std::max(0.0, pi - turn_[edge.a] - shadow_tolerance),
         std::min(angle, angle + turn_[edge.b] - pi + shadow_tolerance), distance);
  }
}

/// The angles from the arriving direction to every neighbour of v: shortest paths in the graph whose nodes
/// are the edges at v and whose arcs are its corners, which holds for fans, branching edges and any mixture.
void WindowPropagation::turn_around(Index v) {
  const std::span<const Index> corners = edges_.corners(v);
  for (const Index corner : corners) turn_[edges_[corner].a] = turn_[edges_[corner].b] = infinity;
  const Arrival& arrival = arrival_[v];
  const HalfEdge& home = edges_[arrival.half_edge];
  const double back_x = arrival.x - home.x, back_y = -arrival.y - home.y;
  const double from_a =
      std::atan2(std::abs(home.x * back_y - home.y * back_x), -home.x * back_x - home.y * back_y);
  turn_[home.a] = std::min(from_a, edges_.angle(arrival.half_edge));
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
  if (!(window.high - window.low > narrowest * edge.length)) return;
  if (!beaten_from_ends(edge.a, edge.b, edge.length, window)) store(corner, edge.a, window);
}

/// A path along edges is never shorter than the result unless rounding lost a window; then it stands in for
/// it.
void WindowPropagation::repair() {
  using Item = std::pair<double, Index>;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue;
  const auto relax_from = [&](Index v) {
    const auto relax = [&](Index other, double through) {
      if (!(through * (1 + 1e-12) < distance_[other])) return;
      if (distance_[other] == infinity) reached_.push_back(other);
      distance_[other] = through;
      queue.push({through, other});
      ++counts_.repairs;
    };
    if (distance_[v] > limit_) return;
    for (const Index corner : edges_.corners(v)) {
      relax(edges_[corner].a, distance_[v] + edges_[corner].a_apex);
      relax(edges_[corner].b, distance_[v] + edges_[corner].b_apex);
    }
  };
  for (std::size_t i = 0; i < reached_.size(); ++i) relax_from(reached_[i]);
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    if (distance == distance_[v]) relax_from(v);
  }
}

}  // namespace geodome
