#pragma once
/// Exact distances on a small piece of a mesh that was cut out for one source.

#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// distance (#V of `piece`): from vertex `source`, exact where at most `limit`, otherwise an upper bound or
/// infinite. All paths lie in the piece: with every face that a path of length `limit` meets, these are the
/// distances on the whole mesh. Pieces may have any defect that ExactSolver allows, except corners out of
/// range or twice in one face. Cost: time and memory in proportion to the piece.
void patch_distances(const TriangleMesh& piece, Index source, double limit, std::vector<double>& distance);

}  // namespace geodome::internal
