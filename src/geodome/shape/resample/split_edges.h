#pragma once
/// Regular refinement by any whole factor.

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Splits every edge into `parts` equal ones and so every triangle into parts² similar ones; the surface
/// stays in place. Vertices keep their indices; those on edges follow, edge by edge, then those inside faces.
/// Cost: linear in the result. Throws InputError for parts < 1 or a result too large for 32-bit indices.
TriangleMesh split_edges(const TriangleMesh& mesh, Index parts);

}  // namespace geodome::internal
