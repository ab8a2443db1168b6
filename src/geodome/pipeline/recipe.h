#pragma once
/// What a file says about how it was made.

#include <string>

#include "geodome/pipeline/methods.h"
#include "geodome/pipeline/options.h"

namespace geodome {

/// JSON: the options with everything automatic resolved, the version and the shape's digest; nothing that
/// differs between two runs. `geodesic` is the method that measured.
std::string make_recipe(const Shape& shape, const BuildOptions& options, const std::string& geodesic);

/// The same for a rival: what was made of `options` and `own`. Of methods that no file can hold (has_file),
/// only what they share with others.
std::string make_recipe(const Shape& shape, const BuildOptions& options, const MethodOptions& own,
                        const MethodMatrix& made, const std::string& geodesic);

}  // namespace geodome
