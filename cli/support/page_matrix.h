#pragma once
/// P and W in a page, in the form in which the file holds them: rows of weights, or coded cells.

#include <nlohmann/json.hpp>

#include "geodome/base/execution.h"
#include "geodome/matrix/landmark_matrix.h"
#include "support/page_arrays.h"

namespace geodome::cli {

/// Whether it is held as coded cells, a few bytes per vertex.
bool is_coded(const internal::LandmarkMatrix& matrix);

/// How many bytes a page takes for it, at most, beyond those of the file.
std::int64_t coded_page_bytes(const internal::LandmarkMatrix& matrix);

/// Adds its arrays and returns what viewer/src/matrix.js reads. Throws InputError when P has too many
/// entries.
nlohmann::ordered_json add_matrix(PageArrays& arrays, const internal::LandmarkMatrix& matrix,
                                  const Execution& execution);

}  // namespace geodome::cli
