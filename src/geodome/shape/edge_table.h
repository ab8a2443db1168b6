#pragma once
/// The undirected edges of a mesh, each once, and which faces carry them.

#include <array>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

struct EdgeTable {
  /// The two ends, lower index first, in increasing order.
  std::vector<std::array<Index, 2>> edges;
  /// For every face corner in file order, the edge from it to the next corner of its face.
  std::vector<Index> edge_of_corner;
  /// Number of faces on each edge: 1 on the boundary, 2 inside, more where not manifold.
  std::vector<Index> faces_on_edge;

  Index size() const { return static_cast<Index>(edges.size()); }
};

/// Cost: linear in the corners. Throws InputError where a corner is not a vertex of the mesh.
EdgeTable find_edges(const TriangleMesh& mesh);
EdgeTable find_edges(const PolygonMesh& mesh);

}  // namespace geodome::internal
