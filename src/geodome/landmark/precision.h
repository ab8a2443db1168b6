#pragma once
/// The packed layout of distances between landmarks.

#include <cstdint>
#include <span>
#include <variant>

#include "geodome/landmark/options.h"

namespace geodome::internal {

/// Number of entries in a packed lower triangle with this many rows. Entry (r, c), c <= r, is at
/// r (r + 1) / 2 + c.
constexpr std::int64_t packed_size(std::int64_t rows) {
  return rows * (rows + 1) / 2;
}

/// The numbers of packed triangles, in memory or in a mapped file that something else owns.
using PackedValues =
    std::variant<std::span<const float>, std::span<const std::uint16_t>, std::span<const double>>;

}  // namespace geodome::internal
