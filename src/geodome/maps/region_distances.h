#pragma once
/// Distances between regions: means and minima over all pairs of their vertices.

#include <span>
#include <vector>

#include "geodome/geodesic/options.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/shape/shape.h"

namespace geodome {

struct RegionDistances {
  RowMatrix<double> mean;     ///< #R by #R: over all pairs of vertices, a vertex with itself included
  RowMatrix<double> minimum;  ///< #R by #R: zero on the diagonal
};

/// `label` (#V): the region of every vertex, 0, 1, …, or -1 for none. `weights` (#V, none: one each) are
/// those of the means. Means are products with `products`, minima are taken from `queries`, where small
/// distances are right: pass Distances::matrix() and Distances::queries(). Minima run over the vertices of
/// nonzero `border`
/// (#V, region_borders; empty: all). Infinite where a pair is in different components.
///
/// Cost: a product with #R columns; for minima a block of distances among the border vertices. Throws
/// InputError on labels of another number than vertices or below -1, no region, regions without vertices,
/// weights as mean_distance, and a matrix of squared distances without distances.
RegionDistances region_distances(const DistanceMatrix& products, const DistanceMatrix& queries,
                                 std::span<const Index> label, std::span<const double> weights = {},
                                 std::span<const char> border = {}, const Execution& execution = {});

/// #V: 1 for a vertex of a region that has a neighbour outside of it. A shortest path between two regions
/// begins and ends at such vertices, or beside them.
std::vector<char> region_borders(const Shape& shape, std::span<const Index> label,
                                 const GeodesicOptions& options = {}, const Execution& execution = {});

}  // namespace geodome
