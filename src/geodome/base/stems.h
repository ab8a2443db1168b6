#pragma once
/// Names for files in tables and plots.

#include <string>
#include <vector>

namespace geodome::internal {

/// File names without folder and endings; a number is appended where two are alike.
std::vector<std::string> distinct_stems(const std::vector<std::string>& paths);

}  // namespace geodome::internal
