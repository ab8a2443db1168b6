#pragma once
/// CRC-32C (Castagnoli), the checksum of the `.geodome` file: every error of up to 32 neighbouring bits is
/// found, any other with probability 1 - 2^-32.

#include <cstddef>
#include <cstdint>
#include <span>

namespace geodome::internal {

/// The checksum of the bytes that gave `checksum` followed by `bytes`; start with 0.
/// Cost: one pass, by the processor's own instruction where it has one, eight bytes at a time otherwise.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t checksum = 0);

/// The same without the processor's instruction.
std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t checksum = 0);

}  // namespace geodome::internal
