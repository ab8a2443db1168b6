#include "geodome/landmark/landmark_order.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/landmark/cells.h"

namespace geodome::internal {
namespace {

using CellNeighbours = std::vector<std::vector<Index>>;

CellNeighbours neighbouring_cells(const Adjacency& adjacency, std::span<const Index> cell,
                                  std::size_t cells) {
  std::vector<std::pair<Index, Index>> pairs;
  for (Index v = 0; v < adjacency.size(); ++v)
    for (std::int64_t k = adjacency.offsets[v]; k < adjacency.offsets[v + 1]; ++k)
      if (const Index other = cell[adjacency.neighbours[k]]; other != cell[v])
        pairs.emplace_back(cell[v], other);
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  CellNeighbours neighbours(cells);
  for (const auto& [from, to] : pairs) neighbours[from].push_back(to);
  return neighbours;
}

/// Halves sets of cells by breadth-first search from one end.
class Bisection {
 public:
  explicit Bisection(const CellNeighbours& neighbours)
      : neighbours_(neighbours), set_(neighbours.size(), -1), seen_(neighbours.size(), -1) {}

  /// Reorders the cells in place.
  void order(std::span<Index> cells) {
    if (cells.size() < 3) return;
    ++sets_;
    for (const Index cell : cells) set_[cell] = sets_;
    const std::vector<Index> there = walk(cells, cells.front());
    const std::vector<Index> back = walk(cells, there.back());
    std::copy(back.begin(), back.end(), cells.begin());
    const std::size_t half = cells.size() / 2;
    order(cells.first(half));
    order(cells.subspan(half));
  }

 private:
  /// All of the set, nearest to `start` first; what cannot be reached within the set comes after.
  std::vector<Index> walk(std::span<const Index> cells, Index start) {
    ++walks_;
    std::vector<Index> found;
    found.reserve(cells.size());
    std::size_t next = 0;
    const auto from = [&](Index cell) {
      if (seen_[cell] == walks_) return;
      seen_[cell] = walks_;
      found.push_back(cell);
      for (; next < found.size(); ++next)
        for (const Index other : neighbours_[found[next]])
          if (set_[other] == sets_ && seen_[other] != walks_) {
            seen_[other] = walks_;
            found.push_back(other);
          }
    };
    from(start);
    for (const Index cell : cells) from(cell);
    return found;
  }

  const CellNeighbours& neighbours_;
  std::vector<Index> set_;   ///< of each cell: the last set it was in
  std::vector<Index> seen_;  ///< of each cell: the last walk that met it
  Index sets_ = -1;
  Index walks_ = -1;
};

void check(const std::vector<Index>& cell, const Components& components, std::span<const Index> landmarks) {
  std::vector<char> has_landmark(components.count, 0);
  for (std::size_t position = 0; position < landmarks.size(); ++position) {
    const Index vertex = landmarks[position];
    if (cell[vertex] != static_cast<Index>(position))
      throw InputError(text("landmark ", vertex, " is at distance zero from another landmark"));
    if (components.of_vertex[vertex] < 0)
      throw InputError(text("landmark ", vertex, " is an unreferenced vertex"));
    has_landmark[components.of_vertex[vertex]] = 1;
  }
  for (Index c = 0; c < components.count; ++c)
    if (!has_landmark[c])
      throw InputError(text("component ", c, " of ", components.count,
                            " has no landmark: every component needs at least one"));
}

}  // namespace

OrderedLandmarks order_landmarks(const Adjacency& adjacency, std::span<const Index> landmarks) {
  std::vector<double> reach;
  std::vector<Index> cell = landmark_cells(adjacency, landmarks, &reach);
  Components components = find_components(adjacency);
  check(cell, components, landmarks);
  const auto component = [&](Index position) { return components.of_vertex[landmarks[position]]; };

  std::vector<Index> order(landmarks.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return component(a) < component(b); });
  OrderedLandmarks result;
  result.component_first.push_back(0);
  const CellNeighbours neighbours = neighbouring_cells(adjacency, cell, landmarks.size());
  Bisection bisection(neighbours);
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && component(order[end]) == component(order[begin])) ++end;
    bisection.order(std::span(order).subspan(begin, end - begin));
    result.component_first.push_back(static_cast<Index>(end));
  }

  std::vector<Index> position(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    result.vertices.push_back(landmarks[order[k]]);
    position[order[k]] = static_cast<Index>(k);
  }
  for (Index& mine : cell)
    if (mine >= 0) mine = position[mine];
  result.cell = std::move(cell);
  result.reach.assign(reach.begin(), reach.end());
  result.component = std::move(components.of_vertex);
  return result;
}

}  // namespace geodome::internal
