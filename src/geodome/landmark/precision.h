#pragma once
/// The packed layout of distances between landmarks.

#include <cstdint>

#include "geodome/landmark/options.h"

namespace geodome::internal {

/// Number of entries in a packed lower triangle with this many rows. Entry (r, c), c <= r, is at
/// r (r + 1) / 2 + c.
constexpr std::int64_t packed_size(std::int64_t rows) {
  return rows * (rows + 1) / 2;
}

}  // namespace geodome::internal
