#include "geodome/landmark/cells.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {

std::vector<Index> landmark_cells(const Adjacency& adjacency, std::span<const Index> landmarks,
                                  std::vector<double>* reach) {
  std::vector<Index> cell(adjacency.size(), -1);
  std::vector<double> distance(adjacency.size(), infinity);
  DistanceHeap heap;
  for (std::size_t position = 0; position < landmarks.size(); ++position) {
    const Index landmark = landmarks[position];
    if (landmark < 0 || landmark >= adjacency.size())
      throw InputError(text("landmark ", landmark, " is out of range [0, ", adjacency.size(), ")"));
    if (cell[landmark] >= 0) continue;
    cell[landmark] = static_cast<Index>(position);
    distance[landmark] = 0;
    heap.push(landmark, 0);
  }
  while (!heap.empty()) {
    const Neighbour nearest = heap.pop();
    if (nearest.distance > distance[nearest.vertex]) continue;
    for (std::int64_t k = adjacency.offsets[nearest.vertex]; k < adjacency.offsets[nearest.vertex + 1]; ++k) {
      const Index other = adjacency.neighbours[k];
      const double through = nearest.distance + adjacency.lengths[k];
      const bool shorter = through < distance[other];
      const bool tie = through == distance[other] && cell[nearest.vertex] < cell[other];
      if (!shorter && !tie) continue;
      distance[other] = through;
      cell[other] = cell[nearest.vertex];
      heap.push(other, through);
    }
  }
  if (reach != nullptr) *reach = std::move(distance);
  return cell;
}

}  // namespace geodome::internal
