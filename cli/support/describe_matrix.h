#pragma once
/// What `geodome info` says about a `.geodome` file.

#include <nlohmann/json.hpp>
#include <string>

#include "support/matrix_input.h"

namespace geodome::cli {

/// kind, vertices, faces, components, bytes, file_bytes, landmarks, nonzeros (null where there is no P),
/// method and the recipe.
nlohmann::ordered_json to_json(const MatrixInput& input);

std::string to_text(const MatrixInput& input);

}  // namespace geodome::cli
