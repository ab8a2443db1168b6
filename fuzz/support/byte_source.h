#pragma once
/// Turns the bytes of a fuzzer into numbers, one after the other. After the last byte everything is zero, so
/// that any input decodes.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace geodome::fuzz {

class ByteSource {
 public:
  ByteSource(const std::uint8_t* data, std::size_t size) : at_(data), end_(data + size) {}

  bool empty() const { return at_ == end_; }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - at_); }
  std::uint8_t byte() { return empty() ? std::uint8_t{0} : *at_++; }
  /// In [0, bound).
  int below(int bound) { return byte() % bound; }
  /// In [low, high].
  int between(int low, int high) { return low + below(high - low + 1); }
  bool flag() { return byte() % 2 != 0; }

  /// The value with these bytes; zero-filled at the end.
  template <typename Value>
  Value raw() {
    unsigned char bytes[sizeof(Value)];
    for (unsigned char& next : bytes) next = byte();
    Value value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  std::string_view take(std::size_t count) {
    const std::size_t size = count < remaining() ? count : remaining();
    const std::string_view taken(reinterpret_cast<const char*>(at_), size);
    at_ += size;
    return taken;
  }
  std::string rest() { return std::string(take(remaining())); }

 private:
  const std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace geodome::fuzz
