#pragma once
/// What a file says about how it was made.

#include <string>

#include "geodome/matrix/landmark_error.h"
#include "geodome/pipeline/options.h"

namespace geodome::internal {

/// What decides a result besides the options of a build.
struct RecipeSource {
  const Shape& shape;
  const GeodesicOptions& geodesic;
  const LaplacianOptions& laplacian;
};

/// What measured the landmarks.
struct MeasuredBy {
  std::string geodesic;
  std::vector<MeasuredSolver> tried{};  ///< what it was chosen by
  CoarseMesh mesh{};                    ///< which it marched on, if not on the shape itself
};

/// JSON: the options with everything automatic resolved, the version and the shape's digest; nothing that
/// differs between two runs. Of methods that no file can hold, only what they share with others.
std::string make_recipe(const RecipeSource& source, const BuildOptions& options, Index landmarks,
                        const MeasuredBy& measured);

/// The recipe with `landmark_error`: all but the parts, which are a section of a file.
std::string with_landmark_error(const std::string& recipe, const LandmarkError& error);

/// A recipe before anything is resolved, and the user's landmarks: equal for equal builds, so that it can
/// serve as a key.
std::string requested_recipe(const Shape& shape, const BuildOptions& options);

}  // namespace geodome::internal
