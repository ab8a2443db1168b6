#include "geodome/base/checksum.h"

#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

namespace geodome::internal {
namespace {

std::vector<std::byte> random_bytes(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::byte> bytes(size);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

/// Straight from the definition, a bit at a time.
std::uint32_t by_definition(std::span<const std::byte> bytes) {
  std::uint32_t state = 0xffffffff;
  for (const std::byte byte : bytes) {
    state ^= static_cast<std::uint32_t>(byte);
    for (int bit = 0; bit < 8; ++bit) state = (state >> 1) ^ ((state & 1) != 0 ? 0x82f63b78 : 0);
  }
  return ~state;
}

TEST(Checksum, GivesThePublishedValues) {
  // The check value of the CRC catalogue, and the vectors of RFC 3720, B.4.
  const std::string_view digits = "123456789";
  EXPECT_EQ(crc32c(std::as_bytes(std::span(digits))), 0xe3069283);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8a9136aa);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xff})), 0x62a8ab43);
  EXPECT_EQ(crc32c({}), 0U);
}

TEST(Checksum, AgreesWithTheDefinitionForEveryLengthAndAlignment) {
  const std::vector<std::byte> bytes = random_bytes(100, 1);
  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t length = 0; length + start <= bytes.size(); ++length) {
      const auto piece = std::span(bytes).subspan(start, length);
      ASSERT_EQ(crc32c(piece), by_definition(piece)) << start << " " << length;
      ASSERT_EQ(crc32c_portable(piece), by_definition(piece)) << start << " " << length;
    }
  }
}

TEST(Checksum, OfLongPiecesIsThatWithoutTheInstruction) {
  const std::vector<std::byte> bytes = random_bytes(100000, 3);
  for (const std::size_t length : {12287, 12288, 12289, 24576, 36871, 100000 - 5}) {
    const auto piece = std::span(bytes).subspan(5, length);
    EXPECT_EQ(crc32c(piece), by_definition(piece)) << length;
    EXPECT_EQ(crc32c(piece, 77), crc32c_portable(piece, 77)) << length;
  }
}

TEST(Checksum, OfPiecesIsThatOfTheWhole) {
  const std::vector<std::byte> bytes = random_bytes(1000, 2);
  const std::span<const std::byte> all = bytes;
  for (const std::size_t cut : {0, 1, 7, 8, 9, 500, 999, 1000}) {
    EXPECT_EQ(crc32c(all.subspan(cut), crc32c(all.first(cut))), crc32c(all));
    EXPECT_EQ(crc32c_portable(all.subspan(cut), crc32c_portable(all.first(cut))), crc32c(all));
  }
}

}  // namespace
}  // namespace geodome::internal
