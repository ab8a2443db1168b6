#pragma once
/// Compares windows on the same half-edge, where comparing lengths at vertices is not enough.

#include "geodome/geodesic/exact/windows_kernel.h"

namespace geodome::internal {

/// Paths of a window to its edge, of length `edge`, that differ by less count as equally long.
double tie_length(const Window& window, double edge);

/// The angle between the last straight pieces of two paths to the same point, one of them `straight` long,
/// beyond which they cannot both be within a tie of the shortest to what is behind the point.
double turn_within_tie(double length, double straight, double edge);

/// Shortens `window` at its ends to where it is shorter than `other` by more than `tie`; false when nothing
/// is left. The part in the middle of a window is never cut out: the result is one window.
bool trim(Window& window, const Window& other, double tie);

}  // namespace geodome::internal
