#pragma once
/// What interpolation and paths must agree on: which vertices hang together.

#include <vector>

#include "geodome/base/execution.h"
#include "geodome/geodesic/factory.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

/// The Laplacian of what the mask keeps (all of it where `keep` is empty), without its weights between
/// vertices of different components, and between any and a vertex of none (-1), whose mass is zero. Samples
/// and clouds may be joined more widely in the Laplacian than by their paths; where paths end, so does
/// interpolation.
Laplacian laplacian_within(const Shape& shape, const std::vector<char>& keep,
                           const std::vector<Index>& component, const LaplacianOptions& options,
                           const Execution& execution = {});

/// Which vertices paths go between, next to next: the edges of the domain, without those its solvers do not
/// cross (faces that are mere points or edges join nothing).
Adjacency path_edges(const PathDomain& domain, const Execution& execution = {1, {}});

}  // namespace geodome::internal
