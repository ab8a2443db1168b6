#include "geodome/landmark/landmark_replacement.h"

#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {
namespace {

constexpr int most_rounds = 3;

/// Marks a vertex and all at distance zero from it.
void mark_place(const Adjacency& adjacency, Index vertex, std::vector<char>& taken) {
  std::vector<Index> front{vertex};
  taken[vertex] = 1;
  while (!front.empty()) {
    const Index at = front.back();
    front.pop_back();
    for (std::int64_t k = adjacency.offsets[at]; k < adjacency.offsets[at + 1]; ++k) {
      const Index other = adjacency.neighbours[k];
      if (adjacency.lengths[k] > 0 || taken[other]) continue;
      taken[other] = 1;
      front.push_back(other);
    }
  }
}

/// The vertex nearest to `source` that is not taken (ties: the smaller), or -1 where there is none.
Index nearest_free(const Adjacency& adjacency, Index source, const std::vector<char>& taken) {
  DistanceHeap heap;
  std::unordered_set<Index> settled;
  heap.push(source, 0);
  Neighbour best{-1, infinity};
  while (!heap.empty()) {
    const Neighbour next = heap.pop();
    if (next.distance > best.distance) break;
    if (!settled.insert(next.vertex).second) continue;
    if (!taken[next.vertex] && (best.vertex < 0 || next.vertex < best.vertex)) best = next;
    for (std::int64_t k = adjacency.offsets[next.vertex]; k < adjacency.offsets[next.vertex + 1]; ++k)
      heap.push(adjacency.neighbours[k], next.distance + adjacency.lengths[k]);
  }
  return best.vertex;
}

[[noreturn]] void give_up(const OrderedLandmarks& landmarks, std::span<const Index> suspects,
                          const std::string& why) {
  std::string names;
  constexpr std::size_t most_named = 5;
  for (std::size_t k = 0; k < std::min(suspects.size(), most_named); ++k)
    names += text(k > 0 ? ", " : "", landmarks.vertices[suspects[k]]);
  if (suspects.size() > most_named) names += text(" and ", suspects.size() - most_named, " more");
  throw NumericalError(
      text("distances from and to landmarks ", names, " disagree, ", why, ": try another geodesic method"));
}

}  // namespace

SettledLandmarks settle_landmarks(const GeodesicSolver& solver, const Adjacency& adjacency,
                                  OrderedLandmarks landmarks, const LandmarkDistanceOptions& options,
                                  const Execution& execution) {
  SettledLandmarks result;
  result.landmarks = std::move(landmarks);
  std::vector<char> taken(static_cast<std::size_t>(adjacency.size()), 0);
  for (int round = 0;; ++round) {
    result.distances = {};  // two would not fit where one hardly does
    result.distances = landmark_distances(solver, result.landmarks, options, execution);
    const std::vector<Index>& suspects = result.distances.suspects;
    if (suspects.empty()) return result;
    if (round == most_rounds) give_up(result.landmarks, suspects, text("after ", round, " replacements"));

    std::vector<Index> vertices = result.landmarks.vertices;
    for (const Index vertex : vertices) mark_place(adjacency, vertex, taken);
    for (const Index position : suspects) {
      const Index after = nearest_free(adjacency, vertices[position], taken);
      if (after < 0)
        give_up(result.landmarks, std::span(&position, 1), "and no other vertex can replace them");
      result.replaced.push_back({vertices[position], after});
      vertices[position] = after;
      mark_place(adjacency, after, taken);
    }
    result.landmarks = order_landmarks(adjacency, vertices);
  }
}

}  // namespace geodome::internal
