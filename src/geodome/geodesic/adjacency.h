#pragma once
/// A weighted undirected graph in the form shortest paths need: for each vertex, its neighbours side by side.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The neighbours of v are neighbours[offsets[v] .. offsets[v + 1]), increasing, each once, never v itself.
struct Adjacency {
  std::vector<std::int64_t> offsets{0};  ///< #V + 1
  std::vector<Index> neighbours;         ///< two for every edge
  std::vector<double> lengths;           ///< beside `neighbours`

  Index size() const { return static_cast<Index>(offsets.size()) - 1; }
};

/// Of edges that join the same two vertices the shortest counts; self-loops are left out.
/// Cost: O(#V + #E log(degree)) time. Throws InputError on a vertex out of range, or a length that is
/// negative or not finite, naming the edge.
Adjacency make_adjacency(Index vertices, std::span<const Edge> edges);

/// That of the edges of faces for which joins(a, b) = joins(b, a). Corners must be in range. Cost: O(#F)
/// time, 16 bytes per face beside the result.
Adjacency make_adjacency(const TriangleMesh& mesh, const std::function<bool(Index, Index)>& joins,
                         const Execution& execution = {1, {}});

/// The edges of the faces with their Euclidean lengths; an edge comes once for every face it belongs to.
/// Throws InputError on a corner out of range or a coordinate that is not finite.
std::vector<Edge> face_edges(const TriangleMesh& mesh);
std::vector<Edge> face_edges(const PolygonMesh& mesh);

/// Which vertices can reach each other. A vertex without neighbours belongs to no component.
struct Components {
  std::vector<Index> of_vertex;  ///< 0, 1, … by smallest vertex; -1 for a vertex without neighbours
  Index count = 0;
};

/// Cost: O(#V + #E) time.
Components find_components(const Adjacency& adjacency);

}  // namespace geodome::internal
