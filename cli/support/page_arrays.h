#pragma once
/// Arrays of numbers inside a page: compressed, and written as text that no page can trip over.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace geodome::cli {

/// How an array is laid out before it is compressed. Nothing is lost by either. The last two are for whole
/// numbers only.
enum class ArrayFilter {
  planes,      ///< first bytes of all numbers, then second bytes, …: those are alike
  signs,       ///< 0, -1, 1, -2, … as 0, 1, 2, 3, …, then planes
  increments,  ///< differences (modulo the range of the type), then as `signs`
};

/// Bytes as base64 [RFC 4648].
std::string base64(std::span<const std::byte> bytes);

/// Collects arrays. Each becomes a <script> element that browsers do not run, named geodome-array-K.
class PageArrays {
 public:
  /// Little-endian numbers of 1, 2, 4 or 8 bytes. Returns what the page needs to read them: the number K of
  /// the array, its type, length and filter. Increments are differences from the number `apart` places
  /// before. Throws InputError where zlib fails.
  template <typename Number>
  nlohmann::ordered_json add(std::span<const Number> numbers, ArrayFilter filter = ArrayFilter::planes,
                             std::size_t apart = 1);

  /// The elements, one text for each array.
  const std::vector<std::string>& elements() const { return elements_; }

 private:
  nlohmann::ordered_json add_packed(std::span<const std::byte> bytes, std::size_t width, const char* type);

  std::vector<std::string> elements_;
};

}  // namespace geodome::cli
