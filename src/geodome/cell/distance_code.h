#pragma once
/// Coding of the distances between landmarks. Landmarks are coded from coarse to fine; the distances of each
/// are predicted from those of a few earlier ones near it, in integers, and only the differences are stored.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/token_coder.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// Contexts of token_coder.h that it uses, from `first_context` on.
inline constexpr std::size_t distance_contexts = 13;

/// `distances`: the packed lower triangle of one component, below 2^16. `order`: every position once, those
/// that were chosen first come first.
void put_distances(std::span<const std::uint16_t> distances, std::span<const Index> order,
                   std::size_t first_context, TokenRecord& record);

/// Into the packed lower triangle of `landmarks` landmarks. Throws InputError when what is read makes no
/// sense. Cost: about 30 ns per pair; 2 bytes per entry of the whole square meanwhile.
void get_distances(TokenReader& reader, Index landmarks, std::size_t first_context,
                   std::span<std::uint16_t> distances);

}  // namespace geodome::internal
