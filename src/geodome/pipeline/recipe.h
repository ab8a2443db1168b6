#pragma once
/// What a file says about how it was made.

#include <string>

#include "geodome/pipeline/options.h"

namespace geodome::internal {

/// What decides a result besides the options of a build.
struct RecipeSource {
  const Shape& shape;
  const GeodesicOptions& geodesic;
  const LaplacianOptions& laplacian;
};

/// JSON: the options with everything automatic resolved, the version and the shape's digest; nothing that
/// differs between two runs. `geodesic` is the method that measured, `tried` what it was chosen by. Of
/// methods that no file can hold, only what they share with others.
std::string make_recipe(const RecipeSource& source, const BuildOptions& options, Index landmarks,
                        const std::string& geodesic, const std::vector<MeasuredSolver>& tried = {});

/// The same before anything is resolved, and the user's landmarks: equal for equal builds, so that it can
/// serve as a key.
std::string requested_recipe(const Shape& shape, const BuildOptions& options);

}  // namespace geodome::internal
