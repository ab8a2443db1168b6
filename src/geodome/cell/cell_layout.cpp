#include "geodome/cell/cell_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/base/threads.h"
#include "geodome/geodesic/dijkstra.h"
#include "geodome/landmark/cells.h"

namespace geodome::internal {
namespace {

constexpr Index vertices_per_cell = 60;
constexpr Index smallest_support = 24;
constexpr Index largest_support = 40;
constexpr std::size_t around = 6;  // landmarks that are near: the neighbours on a surface

/// One search at a time: the landmarks nearest to a vertex.
class NearestLandmarks {
 public:
  NearestLandmarks(const Adjacency& edges, const std::vector<Index>& position)
      : edges_(edges), position_(position), distance_(static_cast<std::size_t>(edges.size()), infinity) {}

  /// Positions, increasing.
  std::vector<Index> find(Index source, Index count, double& near) {
    std::vector<Index> found;
    std::vector<Index> changed{source};
    distance_[source] = 0;
    heap_.push(source, 0);
    while (!heap_.empty() && static_cast<Index>(found.size()) < count) {
      const Neighbour next = heap_.pop();
      if (next.distance > distance_[next.vertex]) continue;
      distance_[next.vertex] = std::nextafter(next.distance, -1.0);  // settled: an equal entry comes too late
      if (position_[next.vertex] >= 0) {
        found.push_back(position_[next.vertex]);
        if (found.size() <= around + 1) near = next.distance;
      }
      for (std::int64_t k = edges_.offsets[next.vertex]; k < edges_.offsets[next.vertex + 1]; ++k) {
        const Index other = edges_.neighbours[k];
        const double through = next.distance + edges_.lengths[k];
        if (!(through < distance_[other])) continue;
        if (distance_[other] == infinity) changed.push_back(other);
        distance_[other] = through;
        heap_.push(other, through);
      }
    }
    heap_.clear();
    for (const Index vertex : changed) distance_[vertex] = infinity;
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  const Adjacency& edges_;
  const std::vector<Index>& position_;
  std::vector<double> distance_;
  DistanceHeap heap_;
};

/// The number of vertices in each component; those that edges of length zero connect count as one.
std::vector<Index> distinct_vertices(const Adjacency& edges, const OrderedLandmarks& landmarks) {
  std::vector<Index> count(landmarks.component_first.size() - 1, 0);
  std::vector<char> counted(landmarks.component.size(), 0);
  std::vector<Index> same;
  for (std::size_t v = 0; v < counted.size(); ++v) {
    if (landmarks.component[v] < 0 || counted[v]) continue;
    ++count[landmarks.component[v]];
    counted[v] = 1;
    same.assign(1, static_cast<Index>(v));
    while (!same.empty()) {
      const Index vertex = same.back();
      same.pop_back();
      for (std::int64_t k = edges.offsets[vertex]; k < edges.offsets[vertex + 1]; ++k)
        if (edges.lengths[k] == 0 && !counted[edges.neighbours[k]]) {
          counted[edges.neighbours[k]] = 1;
          same.push_back(edges.neighbours[k]);
        }
    }
  }
  return count;
}

/// Of each component.
std::vector<CellSizes> all_cell_sizes(const Adjacency& edges, const OrderedLandmarks& landmarks) {
  const std::vector<Index> vertices = distinct_vertices(edges, landmarks);
  std::vector<CellSizes> sizes;
  for (std::size_t c = 0; c < vertices.size(); ++c)
    sizes.push_back(cell_sizes(vertices[c], landmarks.component_first[c + 1] - landmarks.component_first[c]));
  return sizes;
}

/// The positions of the cells' centres, increasing.
std::vector<Index> choose_centres(const OrderedLandmarks& landmarks, const std::vector<Index>& position,
                                  std::span<const Index> sequence, const std::vector<CellSizes>& sizes) {
  std::vector<Index> left, centres;
  for (const CellSizes& one : sizes) left.push_back(one.cells);
  const auto take = [&](Index vertex) {
    const Index c = landmarks.component[vertex];
    if (c < 0 || position[vertex] < 0 || left[c] == 0) return;
    --left[c];
    centres.push_back(position[vertex]);
  };
  for (const Index vertex : sequence) take(vertex);
  std::sort(centres.begin(), centres.end());
  centres.erase(std::unique(centres.begin(), centres.end()), centres.end());
  // A landmark that replaced another is not in the sequence.
  for (const Index vertex : landmarks.vertices)
    if (!std::binary_search(centres.begin(), centres.end(), position[vertex])) take(vertex);
  std::sort(centres.begin(), centres.end());
  return centres;
}

void group_members(CellLayout& layout) {
  layout.first.assign(layout.cells.size() + 1, 0);
  for (const Index cell : layout.cell)
    if (cell >= 0) ++layout.first[cell + 1];
  std::partial_sum(layout.first.begin(), layout.first.end(), layout.first.begin());
  layout.members.resize(static_cast<std::size_t>(layout.first.back()));
  std::vector<Index> next(layout.first.begin(), layout.first.end() - 1);
  for (std::size_t v = 0; v < layout.cell.size(); ++v)
    if (layout.cell[v] >= 0) layout.members[next[layout.cell[v]]++] = static_cast<Index>(v);
}

}  // namespace

CellSizes cell_sizes(Index vertices, Index landmarks) {
  if (vertices == landmarks) return {landmarks, 1};
  CellSizes sizes;
  sizes.cells = std::clamp(vertices / vertices_per_cell, (landmarks + 3) / 4, landmarks);
  const double share = std::max(1.0, static_cast<double>(landmarks) / sizes.cells);
  sizes.support = std::min({landmarks, largest_support,
                            static_cast<Index>(std::lround(smallest_support * std::pow(share, 0.37)))});
  return sizes;
}

CellLayout lay_out_cells(const Adjacency& edges, const OrderedLandmarks& landmarks,
                         std::span<const Index> sequence, const Execution& execution) {
  std::vector<Index> position(static_cast<std::size_t>(edges.size()), -1);
  for (std::size_t k = 0; k < landmarks.vertices.size(); ++k)
    position[landmarks.vertices[k]] = static_cast<Index>(k);
  const std::vector<CellSizes> sizes = all_cell_sizes(edges, landmarks);
  const std::vector<Index> centres = choose_centres(landmarks, position, sequence, sizes);
  CellLayout layout;
  layout.cells.resize(centres.size());
  layout.component_first.assign(landmarks.component_first.size(), 0);
  std::vector<Index> vertices;
  for (std::size_t k = 0; k < centres.size(); ++k) {
    vertices.push_back(landmarks.vertices[centres[k]]);
    layout.cells[k].centre = centres[k];
    layout.cells[k].component = landmarks.component[vertices.back()];
    ++layout.component_first[layout.cells[k].component + 1];
  }
  std::partial_sum(layout.component_first.begin(), layout.component_first.end(),
                   layout.component_first.begin());
  layout.cell = landmark_cells(edges, vertices);
  group_members(layout);
  const std::size_t parts =
      std::min<std::size_t>(static_cast<std::size_t>(thread_count(execution)), centres.size());
  parallel_for(parts, execution, {}, [&](std::size_t part, int) {
    NearestLandmarks search(edges, position);
    for (std::size_t k = part; k < centres.size(); k += parts)
      layout.cells[k].support =
          search.find(vertices[k], sizes[layout.cells[k].component].support, layout.cells[k].near);
  });
  return layout;
}

}  // namespace geodome::internal
