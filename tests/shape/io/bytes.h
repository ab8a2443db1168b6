#pragma once
/// Binary files made by hand, number by number, for tests.

#include <algorithm>
#include <cstring>
#include <string>

#include "geodome/shape/io/parse/scan.h"

namespace geodome::testing {

/// Appends a number in the given byte order.
template <typename Value>
void put(std::string& bytes, Value value, internal::ByteOrder order) {
  char copy[sizeof(Value)];
  std::memcpy(copy, &value, sizeof(Value));
  if (order != internal::native_order) std::reverse(copy, copy + sizeof(Value));
  bytes.append(copy, sizeof(Value));
}

inline std::string base64(const std::string& bytes) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const auto byte = [&](std::size_t at) {
      return at < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[at])) : 0u;
    };
    const unsigned group = byte(i) << 16 | byte(i + 1) << 8 | byte(i + 2);
    for (int digit = 0; digit < 4; ++digit) {
      const bool used = i + static_cast<std::size_t>(digit) <= bytes.size();
      result += used ? alphabet[group >> (18 - 6 * digit) & 63] : '=';
    }
  }
  return result;
}

}  // namespace geodome::testing
