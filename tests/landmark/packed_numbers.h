#pragma once
/// The numbers of packed triangles, for comparisons.

#include <vector>

#include "geodome/landmark/precision.h"

namespace geodome::internal {

/// Every precision is exact in double precision.
inline std::vector<double> numbers_of(const PackedValues& values) {
  return std::visit([](const auto& all) { return std::vector<double>(all.begin(), all.end()); }, values);
}

}  // namespace geodome::internal
