#pragma once
/// Whether a stored matrix is the one that a build would make, from its recipe.

#include <string>

#include "geodome/matrix/distance_matrix.h"
#include "geodome/pipeline/options.h"
#include "geodome/pipeline/target.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The first entry of the recipe of `matrix` that a build of the shape with these options would write
/// otherwise, such as "/landmarks/count is 60, not 80"; empty if there is none. What the options leave open
/// is resolved as a build resolves it; only a choice of the geodesic method by measured error is taken from
/// the recipe, which tells that there was one. With a `target` the number of landmarks may be any, as it is
/// what the search found. Never empty where the recipe does not tell: of user-supplied distances, and of
/// another version of the library. It may also name a difference where there is none: of shapes with fewer
/// distinct places than the default number of landmarks, and where given landmarks were replaced.
/// Cost: the digest of the shape, and O(#V). Throws InputError where a build would for its target.
std::string recipe_difference(const DistanceMatrix& matrix, const std::string& recipe, const Shape& shape,
                              const BuildOptions& options, const ErrorTarget& target = {});

}  // namespace geodome::internal
