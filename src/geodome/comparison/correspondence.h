#pragma once
/// Which point of one shape is which of another, from their aligned canonical forms, and how far off that is.

#include <vector>

#include "geodome/base/execution.h"
#include "geodome/comparison/alignment.h"
#include "geodome/geodesic/solver.h"

namespace geodome::internal {

/// For every row of `moved` (#V by m, aligned with the tree's points) the nearest point of the tree. Cost:
/// one search per row.
std::vector<Index> correspondence(const Eigen::Ref<const RowMatrix<double>>& moved, const PointTree& tree,
                                  const Execution& execution = {});

struct CorrespondenceError {
  double mean = 0;    ///< of the geodesic distances between where points went and where they belong
  double median = 0;  ///< all divided by `extent`
  double p90 = 0;
  double extent = 0;  ///< the largest geodesic distance met: nearly the diameter
  Index points = 0;
};

/// Where vertex v of one shape is known to be vertex v of the other: the geodesic distance, on the other,
/// from matches[v] to v, over up to `sample` vertices by the seed. Cost: one row of the solver for each.
/// Throws InputError when the numbers of vertices differ.
CorrespondenceError correspondence_error(const std::vector<Index>& matches, const GeodesicSolver& solver,
                                         Index sample = 500, std::uint64_t seed = 0,
                                         const Execution& execution = {});

}  // namespace geodome::internal
