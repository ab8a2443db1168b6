#pragma once
/// What a file says about how it was made.

#include <string>

#include "geodome/pipeline/options.h"

namespace geodome {

/// JSON: the options with everything automatic resolved, the version and the shape's digest; nothing that
/// differs between two runs. `geodesic` is the method that measured.
std::string make_recipe(const Shape& shape, const BuildOptions& options, const std::string& geodesic);

}  // namespace geodome
