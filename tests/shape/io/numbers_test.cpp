#include "geodome/shape/io/parse/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "bytes.h"
#include "geodome/base/error.h"
#include "geodome/base/types.h"
#include "gzip.h"

namespace geodome::internal {
namespace {

using testing::base64;
using testing::gzip;
using testing::put;

std::vector<char> as_vector(const std::string& bytes) {
  return {bytes.begin(), bytes.end()};
}

template <typename Value>
void expect_decoded(NumberType type) {
  const std::vector<Value> values = {Value(0), Value(1), Value(100), std::numeric_limits<Value>::lowest(),
                                     std::numeric_limits<Value>::max()};
  EXPECT_EQ(number_size(type), sizeof(Value));
  for (ByteOrder order : {ByteOrder::little, ByteOrder::big}) {
    std::string bytes = "x";  // so that nothing is aligned
    for (Value value : values) put(bytes, value, order);
    std::vector<double> decoded(values.size());
    decode_numbers(bytes.data() + 1, values.size(), type, order, decoded.data());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(decoded[i], static_cast<double>(values[i]));
  }
}

TEST(DecodeNumbers, EveryTypeInBothOrders) {
  expect_decoded<std::int8_t>(NumberType::int8);
  expect_decoded<std::uint8_t>(NumberType::uint8);
  expect_decoded<std::int16_t>(NumberType::int16);
  expect_decoded<std::uint16_t>(NumberType::uint16);
  expect_decoded<std::int32_t>(NumberType::int32);
  expect_decoded<std::uint32_t>(NumberType::uint32);
  expect_decoded<std::int64_t>(NumberType::int64);
  expect_decoded<std::uint64_t>(NumberType::uint64);
  expect_decoded<float>(NumberType::float32);
  expect_decoded<double>(NumberType::float64);
}

TEST(DecodeNumbers, HalfPrecision) {
  const std::pair<std::uint16_t, double> halves[] = {{0x3C00, 1},
                                                     {0xC000, -2},
                                                     {0x7BFF, 65504},
                                                     {0x0400, std::ldexp(1, -14)},
                                                     {0x0001, std::ldexp(1, -24)},
                                                     {0x8000, 0},
                                                     {0x3555, 0.333251953125},
                                                     {0xFC00, -infinity}};
  for (const auto& [bits, expected] : halves) {
    std::string bytes;
    put(bytes, bits, ByteOrder::big);
    double value = 7;
    decode_numbers(bytes.data(), 1, NumberType::float16, ByteOrder::big, &value);
    EXPECT_EQ(value, expected);
  }
}

// The vectors of RFC 4648, section 10.
TEST(Base64, KnownAnswers) {
  const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                         {"Zg==", "f"},
                                                         {"Zm8=", "fo"},
                                                         {"Zm9v", "foo"},
                                                         {"Zm9vYg==", "foob"},
                                                         {"Zm9vYmE=", "fooba"},
                                                         {"Zm9vYmFy", "foobar"}};
  for (const auto& [encoded, bytes] : vectors) {
    EXPECT_EQ(decode_base64(encoded, ""), as_vector(bytes));
    EXPECT_EQ(base64(bytes), encoded);
  }
}

TEST(Base64, RoundTripsAllBytesAndSkipsSpaces) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += static_cast<char>(i * 37 + i / 256);
  std::string encoded = base64(bytes);
  EXPECT_EQ(decode_base64(encoded, ""), as_vector(bytes));
  for (std::size_t i = 0; i < encoded.size(); i += 77) encoded.insert(i, "\r\n \t");
  EXPECT_EQ(decode_base64(encoded, ""), as_vector(bytes));
}

TEST(Base64, RefusesWhatIsNot) {
  for (const char* bad :
       {"Z", "Zg", "Zg=", "Zg===", "Zm9", "Zm9v=", "Z=", "=", "Zm9v!", "Zg==Zg==", "Zm\xC3v"}) {
    EXPECT_THROW(decode_base64(bad, "here: "), FileError) << bad;
  }
}

TEST(Inflate, GivesExactlyTheBytesPacked) {
  for (std::size_t size : {0, 1, 7, 1000, 100000}) {
    std::string bytes(size, 'a');
    for (std::size_t i = 0; i < size; i += 3) bytes[i] = static_cast<char>(i * i);
    const std::vector<char> packed = as_vector(gzip(bytes));
    EXPECT_EQ(inflate_exactly(packed, size, ""), as_vector(bytes));
    EXPECT_THROW(inflate_exactly(packed, size + 1, ""), FileError);
    if (size > 0) {
      EXPECT_THROW(inflate_exactly(packed, size - 1, ""), FileError);
    }
  }
}

TEST(Inflate, RefusesCutDamagedAndImpossible) {
  const std::vector<char> packed = as_vector(gzip("all work and no play makes jack a dull boy"));
  for (std::size_t size = 0; size < packed.size(); ++size) {
    EXPECT_THROW(
        inflate_exactly({packed.begin(), packed.begin() + static_cast<std::ptrdiff_t>(size)}, 42, ""),
        FileError);
  }
  std::vector<char> damaged = packed;
  damaged[packed.size() - 6] = static_cast<char>(damaged[packed.size() - 6] ^ 1);  // in the checksum
  EXPECT_THROW(inflate_exactly(damaged, 42, ""), FileError);
  EXPECT_THROW(inflate_exactly(packed, std::size_t{1} << 60, ""), FileError);
}

}  // namespace
}  // namespace geodome::internal
