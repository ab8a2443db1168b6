#pragma once
/// Canonical coordinates as something to look at.

#include <span>

#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Canonical coordinates as colours (#V by 3): the first three axes as red, green and blue, each component
/// stretched to the whole range of each axis, so that the same part of a shape has the same colour in every
/// pose. Missing axes, and vertices that belong to no component, are grey.
Colours canonical_colours(const Eigen::Ref<const RowMatrix<double>>& Z, std::span<const Index> component);

/// The shape with its vertices at the canonical coordinates: the same faces, or a point cloud where the shape
/// has none. The first three axes; missing ones are zero. Throws InputError when the numbers of vertices
/// differ.
Shape canonical_shape(const Shape& shape, const Eigen::Ref<const RowMatrix<double>>& Z);

}  // namespace geodome::internal
