#pragma once
/// Which sources are close enough together to march at once (batch_schedule.h).

#include <span>
#include <vector>

#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/stencil.h"

namespace geodome::internal {

/// Divides sources (distinct) into clusters that are close together, the middle one first, each within a
/// small part of one component; sources without enough company stay alone. `lanes` are 16, 32 or 64 at most,
/// or 0 for as many as pay: the denser the sources, the more. `points` are the surface's. Depends on the set
/// of sources only. Cost: one march per component and a truncated one per cluster, over a few times its own
/// area.
std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes);

}  // namespace geodome::internal
