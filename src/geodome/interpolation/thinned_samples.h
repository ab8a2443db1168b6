#pragma once
/// Interpolation between many samples per landmark: P is solved for on a part of the samples, and each other
/// sample takes its row from those around it.
///
/// Samples are joined to some 90 neighbours each, and by their squared Laplacian to 400: the factor of
/// 100,000 samples has several gigabytes. P changes over the spacing of landmarks, so that ten or more
/// samples per landmark determine it.

#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/interpolation/options.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/interpolation/sparsify.h"
#include "geodome/landmark/landmark_order.h"

namespace geodome::internal {

/// Whether P is solved for on a part of this many samples: with more than 60 per landmark, weights chosen by
/// rows, and no method of solving requested. Fewer would leave less than ten per landmark.
bool thins_samples(Index samples, Index landmarks, const InterpolationOptions& options);

/// All landmarks and, of every other sample that belongs to a cell, one of each neighbourhood: no two of them
/// are joined by an edge, and every one left out is joined to one of them. Increasing. Of 100,000 samples
/// that are joined to their 10 nearest, some 17,000 remain. Cost: O(#edges).
std::vector<Index> thinned_samples(const Adjacency& edges, const OrderedLandmarks& landmarks);

/// The perplexity among samples that were thinned: half, but not less than 5. They are spread evenly, so that
/// half as many neighbours average out as much, and reach less far over borders.
double thinned_perplexity(double perplexity);

struct ExtendedRows {
  SparseRows P;
  RowSums before_scaling;  ///< of the rows that were added
};

/// All rows of P (#V by #landmarks) from those of the samples `kept`. The row of another sample is a
/// combination of the rows of the nearest ones along edges, with weights that reproduce its values as far as
/// ridge regression permits [Saul and Roweis 2003] and sum to one; its `nonzeros` largest entries stay,
/// scaled to sum one. A sample that belongs to no cell has an empty row. Cost: O(#V k (k d + k² + nonzeros))
/// time for k = 16 neighbours.
ExtendedRows extend_rows(const SparseRows& P, std::span<const Index> kept, const RowMatrix<double>& values,
                         const Adjacency& edges, std::span<const Index> cell, Index nonzeros,
                         const Execution& execution = {});

}  // namespace geodome::internal
