#pragma once
/// What `geodome build` does where the method is neither sbha nor bha.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/pipeline/rival_build.h"

namespace geodome::cli {

struct RivalOrder {
  std::string shape_path;
  std::string output;
  Index evaluate = 0;  ///< rows to measure the error on; 0: none
  bool with_shape = true;
  std::vector<std::string> notes;  ///< what was dropped of the shape
};

/// Builds it and writes the file. What JSON tells: keys as those of the other methods.
nlohmann::ordered_json write_rival(const RivalOrder& order, const Shape& shape, const BuildOptions& options,
                                   const MethodOptions& own, const Execution& execution);

/// What JSON tells of a check.
nlohmann::ordered_json check_facts(const SpotCheck& check);

/// A line on standard error for each. Warnings are printed also with --json and --quiet.
void print_warnings(const std::vector<std::string>& warnings);

/// The same for people.
std::string rival_text(const nlohmann::ordered_json& facts);

}  // namespace geodome::cli
