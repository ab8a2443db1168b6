#pragma once
/// The bias of fast marching: its distances are off by a fraction of a per cent, mostly to the same side (too
/// long on rough scans, too short on smooth convex shapes). One factor per shape, fitted on a few exact rows,
/// removes most of that.

#include "geodome/geodesic/fast_marching_kernel.h"
#include "geodome/geodesic/stencil.h"
#include "geodome/geodesic/surface.h"

namespace geodome {

/// How many exact rows the factor is fitted on: three on small surfaces, one on large ones, so that fitting
/// takes about as long as making the stencil.
int rows_for_bias(Index vertices);

/// The factor that brings marches over the stencil closest to exact distances, in the sense of least squares
/// over all vertices of the largest component and `rows` sources spread over it; between 0.9 and 1.1, and 1
/// for a surface without triangles. Deterministic. Cost: `rows` exact single-source runs (windows.h).
float bias_factor(const Surface& surface, const Stencil& stencil, const MarchingKernel& kernel, int rows);

}  // namespace geodome
