#include "geodome/interpolation/cell_graph.h"

#include <algorithm>

namespace geodome::internal {

CellGraph make_cell_graph(const SparseMatrix& coupling, std::span<const Index> cell, Index cells) {
  CellGraph graph;
  graph.neighbours.resize(cells);
  graph.members.resize(cells);
  for (Index v = 0; v < coupling.cols(); ++v)
    if (cell[v] >= 0) graph.members[cell[v]].push_back(v);
  std::vector<Index> last_to_touch(cells, -1);
  for (Index one = 0; one < cells; ++one) {
    std::vector<Index>& neighbours = graph.neighbours[one];
    last_to_touch[one] = one;  // not a neighbour of itself
    for (const Index v : graph.members[one])
      for (SparseMatrix::InnerIterator entry(coupling, v); entry; ++entry) {
        const Index other = cell[entry.row()];
        if (other < 0 || last_to_touch[other] == one) continue;
        last_to_touch[other] = one;
        neighbours.push_back(other);
      }
    std::sort(neighbours.begin(), neighbours.end());
  }
  return graph;
}

std::vector<std::vector<Index>> cluster_cells(const CellGraph& graph, Index size) {
  const Index cells = static_cast<Index>(graph.neighbours.size());
  std::vector<char> taken(cells, 0);
  std::vector<std::vector<Index>> clusters;
  // A new cluster begins beside an old one where possible, so that few cells are left over in between.
  std::vector<Index> seeds;
  Index first_free = 0;
  while (true) {
    Index seed = -1;
    for (std::size_t next = 0; next < seeds.size() && seed < 0; ++next)
      if (!taken[seeds[next]]) seed = seeds[next];
    if (seed < 0) {
      while (first_free < cells && taken[first_free]) ++first_free;
      if (first_free == cells) return clusters;
      seed = first_free;
    }
    std::vector<Index> cluster{seed};
    taken[seed] = 1;
    for (std::size_t next = 0; next < cluster.size(); ++next)
      for (const Index other : graph.neighbours[cluster[next]])
        if (!taken[other] && static_cast<Index>(cluster.size()) < size) {
          taken[other] = 1;
          cluster.push_back(other);
        }
    seeds.clear();
    for (const Index member : cluster)
      for (const Index other : graph.neighbours[member])
        if (!taken[other]) seeds.push_back(other);
    clusters.push_back(std::move(cluster));
  }
}

Neighbourhood cells_around(const CellGraph& graph, std::span<const Index> cluster, Index rings) {
  Neighbourhood result;
  std::vector<char> seen(graph.neighbours.size(), 0);
  for (const Index cell : cluster) {
    seen[cell] = 1;
    result.cells.push_back(cell);
    result.ring.push_back(0);
  }
  result.whole = true;
  for (std::size_t next = 0; next < result.cells.size(); ++next)
    for (const Index other : graph.neighbours[result.cells[next]]) {
      if (seen[other]) continue;
      if (result.ring[next] == rings) {
        result.whole = false;
        continue;
      }
      seen[other] = 1;
      result.cells.push_back(other);
      result.ring.push_back(result.ring[next] + 1);
    }
  return result;
}

}  // namespace geodome::internal
