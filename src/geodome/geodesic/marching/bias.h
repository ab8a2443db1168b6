#pragma once
/// The bias of fast marching: its distances are off by a fraction of a per cent, mostly to the same side (too
/// long on rough scans, too short on smooth convex shapes). One factor per shape, fitted on a few exact rows,
/// removes most of that.

#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/stencil.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

/// How many exact rows the factor is fitted on: three on small surfaces, one on large ones, so that fitting
/// takes about as long as making the stencil.
int rows_for_bias(Index vertices);

/// Exact distances to fit a factor to: from sources spread over the largest component, to all vertices.
struct ExactRows {
  std::vector<Index> sources;
  RowMatrix<double> distances;  ///< #sources by #S
  double windows = 0;           ///< that were propagated, per row and vertex: the cost of another row
};

/// None for a surface without triangles. Deterministic. Cost: `rows` exact single-source runs (windows.h).
ExactRows exact_rows(const Surface& surface, int rows);

struct BiasFit {
  float factor = 1;
  double mean_relative_error = 0;  ///< of these rows with the factor
};

/// The factor that brings marches over the stencil closest to the exact distances, in the sense of least
/// squares; between 0.9 and 1.1, and 1 without any rows. Cost: as many marches.
BiasFit fit_bias(const ExactRows& exact, const Stencil& stencil, const MarchingKernel& kernel);

}  // namespace geodome::internal
