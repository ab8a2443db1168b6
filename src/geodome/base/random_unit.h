#pragma once
/// Random numbers that are the same with every standard library.

#include <random>

namespace geodome::internal {

/// Uniform in [0, 1).
inline double random_unit(std::mt19937_64& generator) {
  return static_cast<double>(generator() >> 11) * 0x1p-53;
}

}  // namespace geodome::internal
