#pragma once
/// Options of Laplacians.

#include <cstdint>

#include "geodome/base/types.h"

namespace geodome {

enum class GraphWeights {
  unit,            ///< 1 per edge: the textbook adjacency matrix
  inverse_length,  ///< mean edge length / length, so that scaling the graph changes nothing
  gaussian         ///< exp(-(length / mean edge length)² / 2)
};

struct LaplacianOptions {
  /// Triangle meshes: flip edges intrinsically until every weight is non-negative. The vertices stay.
  bool intrinsic_delaunay = false;
  /// Point clouds: neighbours that the local triangulation of a point starts with, at least 5. Where they do
  /// not surround the point, their number is doubled up to four times. 8 are as many as a grid has around a
  /// point, and reach no other sheet that is three spacings away.
  Index cloud_neighbours = 8;
  GraphWeights graph_weights = GraphWeights::unit;
  /// Samples: effective number of neighbours. 30 is the usual choice; three times as many are searched.
  double perplexity = 30;
  /// Samples in high dimension: seed of the approximate neighbour search.
  std::uint64_t seed = 0;
};

}  // namespace geodome
