#pragma once
/// Colours for numbers.

#include <array>
#include <cstdint>

namespace geodome::internal {

/// Red, green and blue in [0, 255] for a value in [0, 1] (clamped), from dark violet through blue and green
/// to light yellow. Perceptually uniform: equal steps of the value look equally large, everywhere, and
/// lightness alone carries the order, so that it survives grey print and colour blindness. A helix of
/// constant chroma in Oklab [Ottosson 2020], all of it inside sRGB.
std::array<std::uint8_t, 3> uniform_colour(double value);

}  // namespace geodome::internal
