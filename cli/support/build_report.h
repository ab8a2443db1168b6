#pragma once
/// What `geodome build` reports about a matrix it has written, for machines and for people.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/geodome.h"
#include "support/distance_output.h"

namespace geodome::cli {

struct BuildReport {
  const Distances& distances;
  std::string shape_path;
  std::string output;
  std::int64_t file_bytes = 0;
};

nlohmann::ordered_json build_facts(const BuildReport& report);
std::string build_text(const BuildReport& report);
/// Landmarks that were recalled or replaced, and weights that were lost, a line each.
std::string build_notes(const BuildReport& report, Sparsity sparsity, const Numbering& numbering);

/// A line on standard error for each. Warnings are printed with --json and --quiet too.
void print_warnings(const std::vector<std::string>& warnings);

}  // namespace geodome::cli
