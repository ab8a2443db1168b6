#pragma once
/// The part of a mesh that hangs together and has most vertices.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The faces of the largest component (ties: the one with the smallest vertex) and their vertices, in the
/// order they had. Vertices of no face are left out. Cost: near linear. Throws InputError for a shape without
/// faces, or one that names a vertex out of range.
Shape largest_component(const Shape& shape);

}  // namespace geodome::internal
