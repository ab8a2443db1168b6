#pragma once
/// What methods take to reach the same error: read off the curves of error against bytes.

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/trials/trial.h"

namespace geodome::internal {

struct EqualErrorRow {
  std::string method;
  Index nonzeros = 0;         ///< 0 for a method without
  std::vector<double> bytes;  ///< for every error; unmeasured where it is outside what was tried
};

struct EqualErrors {
  std::vector<double> errors;  ///< ε, decreasing: 1, 2 and 5 times powers of ten
  std::vector<EqualErrorRow> rows;
};

/// Of one shape: for round errors that at least two methods pass through as landmarks are added, the `bytes`
/// at which each passes first; between two numbers of landmarks logarithms are interpolated, of medians over
/// repeats. Methods that pass through none of them are left out.
EqualErrors bytes_at_equal_error(const std::vector<TrialGroup>& groups, std::int64_t Trial::*bytes);

}  // namespace geodome::internal
