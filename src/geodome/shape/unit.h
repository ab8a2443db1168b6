#pragma once
/// The unit in which a shape is computed. Distances are stored in single precision and products of several
/// lengths are formed, so a shape far from the size of one is scaled by a power of two first, which changes
/// no digit, and answers are scaled back.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Sizes that are worked on: beyond them squares of distances, and sums of squares, do not fit a double.
inline constexpr double smallest_size = 1e-120, largest_size = 1e120;

/// The largest extent along an axis, or the longest edge of a graph; zero for a shape without any. Infinite
/// where it does not fit a double.
double shape_size(const Shape& shape);

/// Throws InputError naming the size and the bounds where it is positive and outside of them.
void require_size(const Shape& shape);

/// 1 for sizes from 2⁻³⁰ to 2³⁰, or zero; otherwise the power of two at or below the size.
double unit_of(const Shape& shape);

/// Positions and lengths divided by `unit`. Normals and everything else without a length stay.
Shape in_units(Shape shape, double unit);

}  // namespace geodome::internal
