#pragma once
/// Checks of what a symmetric form is made from, which may come from a file.

#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// Throws InputError, naming the first thing that does not fit. Cost: O(#V + #landmarks).
void check_landmark_arrays(const LandmarkArrays& arrays, Index vertices);

/// Throws InputError when a corner is out of range, or weights are negative, not finite or do not sum to one.
void check_surface_point(const SurfacePoint& point, Index vertices);

/// The corner of largest weight.
Index heaviest(const SurfacePoint& point);

}  // namespace geodome::internal
