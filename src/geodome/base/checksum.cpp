#include "geodome/base/checksum.h"

#include <array>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace geodome::internal {
namespace {

static_assert(std::endian::native == std::endian::little, "the eight-byte steps below need little endian");

/// tables[k][b]: what byte b contributes when k more bytes follow it.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

constexpr Tables make_tables() {
  constexpr std::uint32_t polynomial = 0x82f63b78;  // reflected
  Tables tables = {};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) != 0 ? polynomial : 0);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xff];
    }
  }
  return tables;
}

constexpr Tables tables = make_tables();

std::uint64_t load_word(const std::byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::span<const std::byte> bytes,
                                                             std::uint32_t checksum) {
  std::uint64_t state = ~checksum;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) state = _mm_crc32_u64(state, load_word(bytes.data()));
  auto last = static_cast<std::uint32_t>(state);
  for (const std::byte byte : bytes) last = _mm_crc32_u8(last, static_cast<unsigned char>(byte));
  return ~last;
}
#endif

}  // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t checksum) {
  std::uint32_t state = ~checksum;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    const std::uint64_t word = load_word(bytes.data()) ^ state;
    state = 0;
    for (std::size_t k = 0; k < 8; ++k) state ^= tables[7 - k][(word >> (8 * k)) & 0xff];
  }
  for (const std::byte byte : bytes) {
    state = (state >> 8) ^ tables[0][(state ^ static_cast<std::uint32_t>(byte)) & 0xff];
  }
  return ~state;
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t checksum) {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction) return crc32c_sse42(bytes, checksum);
#endif
  return crc32c_portable(bytes, checksum);
}

}  // namespace geodome::internal
