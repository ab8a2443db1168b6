#pragma once
/// The cell of each landmark: the vertices nearer to it than to any other.

#include <span>
#include <vector>

#include "geodome/geodesic/adjacency.h"

namespace geodome::internal {

/// For each vertex the landmark nearest along edges, as a position in `landmarks` (ties: the earlier
/// landmark), or -1 where no landmark can be reached. `reach`, if given, becomes the distance to it (#V).
/// Cost: O(#E log #V) time. Throws InputError on a landmark out of range.
std::vector<Index> landmark_cells(const Adjacency& adjacency, std::span<const Index> landmarks,
                                  std::vector<double>* reach = nullptr);

}  // namespace geodome::internal
