#pragma once
/// How the distances between landmarks are stored: precision and packed layout.

#include <cstdint>

namespace geodome {

/// Bytes per distance: four, two (multiples of a step, about 1/65,535 of the largest distance of the
/// component) or eight.
enum class Precision { float32, uint16, float64 };

/// Number of entries in a packed lower triangle with this many rows. Entry (r, c), c <= r, is at
/// r (r + 1) / 2 + c.
constexpr std::int64_t packed_size(std::int64_t rows) {
  return rows * (rows + 1) / 2;
}

}  // namespace geodome
