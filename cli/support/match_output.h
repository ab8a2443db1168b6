#pragma once
/// The files `geodome match` writes.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/comparison/form_set.h"
#include "geodome/comparison/shape_distances.h"

namespace geodome::cli {

/// Everything that was found out; vectors have one entry per shape.
struct MatchResult {
  std::vector<internal::ShapeForm> forms;
  std::vector<std::string> labels;
  internal::ShapeDistances table;
  RowMatrix<double> map;  ///< n by 2
};

struct MatchPictureOptions {
  std::string up = "z";
};

/// The output folder and those inside it. Throws FileError.
void make_match_folders(const std::string& folder);

/// Tables, drawings, pictures and the page. Throws FileError.
void write_match(const std::string& folder, const MatchResult& result, const MatchPictureOptions& options,
                 const Execution& execution);

/// For every shape the vertices of its nearest that its own vertices are nearest to, as NPY, and how far off
/// they are where both shapes have as many vertices. One object per shape: from, to, file, errors.
nlohmann::ordered_json write_correspondences(const std::string& folder, const MatchResult& result,
                                             std::uint64_t seed, const Execution& execution);

}  // namespace geodome::cli
