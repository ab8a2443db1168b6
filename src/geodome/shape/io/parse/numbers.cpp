#include "geodome/shape/io/parse/numbers.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "geodome/base/error.h"
#include "geodome/base/types.h"

namespace geodome::internal {
namespace {

// IEEE 754 half precision, which the language cannot name yet: only its bits.
struct Half {
  std::uint16_t bits;
  explicit operator double() const {
    const int exponent = (bits >> 10) & 0x1F;
    const double fraction = bits & 0x3FF;
    double magnitude = std::ldexp(1024 + fraction, exponent - 25);
    if (exponent == 0) magnitude = std::ldexp(fraction, -24);
    if (exponent == 31) magnitude = fraction == 0 ? infinity : std::numeric_limits<double>::quiet_NaN();
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
  }
};

template <typename Value>
void decode(const char* bytes, std::size_t count, ByteOrder order, double* out) {
  if (order == native_order) {
    for (std::size_t i = 0; i < count; ++i) {
      Value value;
      std::memcpy(&value, bytes + i * sizeof(Value), sizeof(Value));
      out[i] = static_cast<double>(value);
    }
  } else {
    for (std::size_t i = 0; i < count; ++i) {
      out[i] = static_cast<double>(load_value<Value>(bytes + i * sizeof(Value), order));
    }
  }
}

// 0 to 63, or -1 for a space and -2 for anything that has no place in base64.
std::array<signed char, 256> base64_values() {
  constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<signed char, 256> values;
  values.fill(-2);
  for (char space : std::string_view(" \t\r\n")) values[static_cast<unsigned char>(space)] = -1;
  for (std::size_t i = 0; i < alphabet.size(); ++i) {
    values[static_cast<unsigned char>(alphabet[i])] = static_cast<signed char>(i);
  }
  return values;
}

}  // namespace

std::size_t number_size(NumberType type) {
  static constexpr std::size_t sizes[] = {1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

void decode_numbers(const char* bytes, std::size_t count, NumberType type, ByteOrder order, double* out) {
  switch (type) {
    case NumberType::int8:
      return decode<std::int8_t>(bytes, count, order, out);
    case NumberType::uint8:
      return decode<std::uint8_t>(bytes, count, order, out);
    case NumberType::int16:
      return decode<std::int16_t>(bytes, count, order, out);
    case NumberType::uint16:
      return decode<std::uint16_t>(bytes, count, order, out);
    case NumberType::int32:
      return decode<std::int32_t>(bytes, count, order, out);
    case NumberType::uint32:
      return decode<std::uint32_t>(bytes, count, order, out);
    case NumberType::int64:
      return decode<std::int64_t>(bytes, count, order, out);
    case NumberType::uint64:
      return decode<std::uint64_t>(bytes, count, order, out);
    case NumberType::float16:
      return decode<Half>(bytes, count, order, out);
    case NumberType::float32:
      return decode<float>(bytes, count, order, out);
    case NumberType::float64:
      return decode<double>(bytes, count, order, out);
  }
}

std::vector<char> decode_base64(std::string_view base64, std::string_view context) {
  static const std::array<signed char, 256> values = base64_values();
  std::vector<char> bytes;
  bytes.reserve(base64.size() / 4 * 3 + 3);
  std::uint32_t group = 0;
  int digits = 0;
  std::size_t i = 0;
  for (; i < base64.size() && base64[i] != '='; ++i) {
    const int value = values[static_cast<unsigned char>(base64[i])];
    if (value == -1) continue;
    if (value < 0) throw FileError(text(context, "character ", i, " of the base64 text is not base64"));
    group = (group << 6) | static_cast<std::uint32_t>(value);
    if (++digits == 4) {
      for (int shift : {16, 8, 0}) bytes.push_back(static_cast<char>(group >> shift));
      group = 0;
      digits = 0;
    }
  }
  int padding = 0;
  for (; i < base64.size(); ++i) {
    if (base64[i] == '=') {
      ++padding;
    } else if (values[static_cast<unsigned char>(base64[i])] != -1) {
      throw FileError(text(context, "the base64 text continues after its end at character ", i));
    }
  }
  if (digits == 1 || (digits == 0 && padding > 0) || (digits > 0 && digits + padding != 4)) {
    throw FileError(text(context, "the base64 text is cut short: its length is not a multiple of four"));
  }
  if (digits >= 2) bytes.push_back(static_cast<char>(group >> (digits == 2 ? 4 : 10)));
  if (digits == 3) bytes.push_back(static_cast<char>(group >> 2));
  return bytes;
}

std::vector<char> inflate_exactly(const std::vector<char>& compressed, std::size_t size,
                                  std::string_view context) {
  // Deflate codes at most 258 bytes in two bits, so nothing grows more than 1032 times.
  if (size / 1032 > compressed.size()) {
    throw FileError(
        text(context, compressed.size(), " compressed bytes cannot hold the ", size, " bytes declared"));
  }
  std::vector<char> bytes(size);
  z_stream stream = {};
  if (inflateInit2(&stream, 15 + 32) != Z_OK) throw FileError(text(context, "zlib cannot start"));
  // zlib counts in 32 bits, so both sides are handed over in pieces.
  constexpr std::size_t piece = std::size_t{1} << 30;
  std::size_t taken = 0;
  std::size_t made = 0;
  int status = Z_OK;
  char overflow = 0;
  while (status == Z_OK) {
    const uInt in = static_cast<uInt>(std::min(piece, compressed.size() - taken));
    const uInt out = static_cast<uInt>(std::min(piece, size - made));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(compressed.data() + taken));
    stream.avail_in = in;
    // A byte beyond the end shows that there is more, and lets the stream reach its checksum.
    stream.next_out = reinterpret_cast<Bytef*>(out > 0 ? bytes.data() + made : &overflow);
    stream.avail_out = out > 0 ? out : 1;
    status = inflate(&stream, Z_NO_FLUSH);
    taken += in - stream.avail_in;
    if (out > 0) {
      made += out - stream.avail_out;
    } else if (stream.avail_out == 0) {
      inflateEnd(&stream);
      throw FileError(text(context, "the compressed data holds more than the ", size, " bytes declared"));
    }
  }
  inflateEnd(&stream);
  if (status != Z_STREAM_END) {
    throw FileError(
        text(context, "the compressed data is ", status == Z_BUF_ERROR ? "cut short" : "damaged"));
  }
  if (made != size) {
    throw FileError(
        text(context, "the compressed data holds ", made, " bytes where ", size, " are declared"));
  }
  return bytes;
}

}  // namespace geodome::internal
