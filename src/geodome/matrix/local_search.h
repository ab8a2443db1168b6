#pragma once
/// Shortest paths along edges around one vertex, in memory that does not grow with the shape.

#include <bit>
#include <cstdint>
#include <vector>

#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {

/// Numbers distinct vertices 0, 1, 2, … as they come: a hash table with linear probing.
class LocalNumbers {
 public:
  Index size() const { return static_cast<Index>(vertex_.size()); }
  Index vertex(Index number) const { return vertex_[number]; }
  std::span<const Index> vertices() const { return vertex_; }

  /// -1 if the vertex has no number.
  Index find(Index vertex) const {
    if (slots_.empty()) return -1;
    return slots_[place(vertex)];
  }
  /// The number of the vertex; `added` says whether it is new.
  Index add(Index vertex, bool& added) {
    if (2 * (vertex_.size() + 1) > slots_.size()) grow();
    Index& slot = slots_[place(vertex)];
    added = slot < 0;
    if (added) {
      slot = size();
      vertex_.push_back(vertex);
    }
    return slot;
  }
  /// Cost: in proportion to the numbers given since the last call.
  void clear() {
    if (vertex_.size() > slots_.size() / 8) {
      std::fill(slots_.begin(), slots_.end(), -1);
    } else {
      // In the reverse order, so that no other entry of a run of slots is cut off before its turn.
      for (std::size_t k = vertex_.size(); k > 0; --k) slots_[place(vertex_[k - 1])] = -1;
    }
    vertex_.clear();
  }

 private:
  std::size_t place(Index vertex) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = (static_cast<std::uint64_t>(vertex) * 0x9E3779B97F4A7C15ull) >> shift_;
    while (slots_[at] >= 0 && vertex_[slots_[at]] != vertex) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    const std::size_t size = slots_.empty() ? 64 : 2 * slots_.size();
    slots_.assign(size, -1);
    shift_ = 64 - std::countr_zero(size);
    for (std::size_t k = 0; k < vertex_.size(); ++k) slots_[place(vertex_[k])] = static_cast<Index>(k);
  }

  std::vector<Index> slots_;
  std::vector<Index> vertex_;
  int shift_ = 64;
};

/// Dijkstra's algorithm, or A* with a lower bound of what is left [Hart et al. 1968]. For one thread.
class LocalSearch {
 public:
  /// `neighbours(v, visit)` calls visit(w, length) for the edges at v; `rest(v)` is a lower bound of the way
  /// from v to the goal that obeys the triangle inequality. `settle(v, distance)` is called for each vertex
  /// in the order of distance + rest, and ends the search by returning true. Paths longer than `radius` with
  /// their rest are not followed.
  template <typename Neighbours, typename Rest, typename Settle>
  void run(Index source, double radius, Neighbours neighbours, Rest rest, Settle settle) {
    numbers_.clear();
    distance_.clear();
    rest_.clear();
    heap_.clear();
    reach(source, 0, radius, rest);
    while (!heap_.empty()) {
      const Neighbour next = heap_.pop();
      const double distance = distance_[next.vertex];
      if (next.distance > distance + rest_[next.vertex]) continue;
      const Index vertex = numbers_.vertex(next.vertex);
      if (settle(vertex, distance)) return;
      neighbours(vertex, [&](Index other, double length) { reach(other, distance + length, radius, rest); });
    }
  }

 private:
  template <typename Rest>
  void reach(Index vertex, double distance, double radius, Rest& rest) {
    if (distance > radius) return;
    bool added = false;
    const Index number = numbers_.add(vertex, added);
    if (added) {
      distance_.push_back(infinity);
      rest_.push_back(rest(vertex));
    }
    if (!(distance < distance_[number]) || distance + rest_[number] > radius) return;
    distance_[number] = distance;
    heap_.push(number, distance + rest_[number]);
  }

  LocalNumbers numbers_;
  std::vector<double> distance_;  ///< by number
  std::vector<double> rest_;
  DistanceHeap heap_;
};

}  // namespace geodome::internal
