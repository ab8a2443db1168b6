#pragma once
/// The error of a matrix as its file states it: measured on a few exact rows of vertices that are not
/// landmarks (docs/methods/evaluation.md).

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "geodome/evaluation/distance_error.h"

namespace geodome::internal {

/// The rows that a measurement of the error should not use: of landmarks, of vertices without a component,
/// and of `more`, whose distances a fit has seen.
std::vector<Index> rows_to_leave_out(const DistanceMatrix& matrix, std::vector<Index> more = {});

/// The keys of `geodome evaluate --json` and of `measured_error` in a recipe.
nlohmann::ordered_json error_json(const ErrorReport& report, const DistanceBands& bands);

/// `measured_error` of a recipe.
nlohmann::ordered_json certificate_json(const Evaluation& evaluation);

/// The recipe with another `measured_error`. `wanted_rows`, if it is more than were measured, because there
/// were no more, is noted. Throws InputError where the recipe is not a JSON object.
std::string with_certificate(const std::string& recipe, const Evaluation& evaluation, Index wanted_rows = 0);

/// "mean error 0.31 %, 99 % of distances within 1.9 %, measured on 12 rows of exact distances", from a
/// `measured_error` of this or an earlier version; empty where it is none.
std::string certificate_sentence(const nlohmann::ordered_json& measured_error);

}  // namespace geodome::internal
