#pragma once
/// Arrays of numbers inside a page: compressed, and written as text that no page can trip over.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace geodome::cli {

/// How an array is laid out before it is compressed. Nothing is lost by either.
enum class ArrayFilter {
  planes,      ///< first bytes of all numbers, then second bytes, …: those are alike
  increments,  ///< differences between neighbours (modulo the range of the type), then planes; whole numbers
               ///< only
};

/// Bytes as base64 [RFC 4648].
std::string base64(std::span<const std::byte> bytes);

/// Collects arrays. Each becomes a <script> element that browsers do not run, named geodome-array-K.
class PageArrays {
 public:
  /// Little-endian numbers of 1, 2, 4 or 8 bytes. Returns what the page needs to read them: the number K of
  /// the array, its type, length and filter. Throws InputError where zlib fails.
  template <typename Number>
  nlohmann::ordered_json add(std::span<const Number> numbers, ArrayFilter filter = ArrayFilter::planes);

  /// The elements, one text for each array.
  const std::vector<std::string>& elements() const { return elements_; }

 private:
  nlohmann::ordered_json add_bytes(std::span<const std::byte> bytes, std::size_t width, const char* type,
                                   ArrayFilter filter);

  std::vector<std::string> elements_;
};

}  // namespace geodome::cli
