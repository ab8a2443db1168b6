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

/// What bytes of zero make of a state, which is linear in its bits: for every value of each of its four
/// bytes.
using Shift = std::array<std::array<std::uint32_t, 256>, 4>;

/// The instruction takes three cycles but can begin in every one: three stretches are read side by side.
constexpr int doublings = 12;
constexpr std::size_t stretch = std::size_t{1} << doublings;

constexpr Shift make_shift() {
  const auto applied = [](const std::array<std::uint32_t, 32>& map, std::uint32_t state) {
    std::uint32_t result = 0;
    for (std::size_t bit = 0; bit < 32; ++bit) result ^= (state >> bit & 1) != 0 ? map[bit] : 0;
    return result;
  };
  std::array<std::uint32_t, 32> map = {};  // of one byte, then of twice as many again and again
  for (std::size_t bit = 0; bit < 32; ++bit) {
    const std::uint32_t state = std::uint32_t{1} << bit;
    map[bit] = (state >> 8) ^ tables[0][state & 0xff];
  }
  for (int k = 0; k < doublings; ++k) {
    const auto half = map;
    for (std::size_t bit = 0; bit < 32; ++bit) map[bit] = applied(half, half[bit]);
  }
  Shift shift = {};
  for (std::size_t k = 0; k < 4; ++k)
    for (std::uint32_t byte = 0; byte < 256; ++byte) shift[k][byte] = applied(map, byte << (8 * k));
  return shift;
}

constexpr Shift shift = make_shift();

/// The state after a stretch of zeros.
std::uint64_t shifted(std::uint64_t state) {
  return shift[0][state & 0xff] ^ shift[1][state >> 8 & 0xff] ^ shift[2][state >> 16 & 0xff] ^
         shift[3][state >> 24 & 0xff];
}

__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::span<const std::byte> bytes,
                                                             std::uint32_t checksum) {
  std::uint64_t state = ~checksum;
  for (; bytes.size() >= 3 * stretch; bytes = bytes.subspan(3 * stretch)) {
    std::uint64_t second = 0, third = 0;
    for (const std::byte *at = bytes.data(), *end = at + stretch; at < end; at += 8) {
      state = _mm_crc32_u64(state, load_word(at));
      second = _mm_crc32_u64(second, load_word(at + stretch));
      third = _mm_crc32_u64(third, load_word(at + 2 * stretch));
    }
    state = shifted(shifted(state) ^ second) ^ third;
  }
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
