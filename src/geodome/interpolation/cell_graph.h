#pragma once
/// The cells of the landmarks and their neighbourhoods, by which the columns of P are computed in groups.

#include <span>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Which cells touch: two do when the matrix couples a vertex of one with a vertex of the other.
struct CellGraph {
  std::vector<std::vector<Index>> neighbours;  ///< of each cell, increasing
  std::vector<std::vector<Index>> members;     ///< the vertices of each cell, increasing
};

/// `cell` (#V) is the landmark each vertex belongs to, in [0, cells), or -1 for none; `coupling` is #V by #V
/// and symmetric. Cost: O(nonzeros).
CellGraph make_cell_graph(const SparseMatrix& coupling, std::span<const Index> cell, Index cells);

/// Groups of at most `size` neighbouring cells that together are all cells, each once.
std::vector<std::vector<Index>> cluster_cells(const CellGraph& graph, Index size);

/// The cells at most `rings` steps from the cluster, nearest first; `ring` (same length) tells how many
/// steps.
struct Neighbourhood {
  std::vector<Index> cells;
  std::vector<Index> ring;
  bool whole = false;  ///< nothing lies beyond: the clusters' components are covered entirely
};
Neighbourhood cells_around(const CellGraph& graph, std::span<const Index> cluster, Index rings);

}  // namespace geodome::internal
