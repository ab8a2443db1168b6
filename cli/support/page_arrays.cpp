#include "support/page_arrays.h"

#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

namespace {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

/// The names of JavaScript's arrays, without "Array".
template <typename Number>
const char* type_name() {
  if constexpr (std::is_same_v<Number, float>) return "Float32";
  if constexpr (std::is_same_v<Number, double>) return "Float64";
  if constexpr (std::is_same_v<Number, std::uint8_t>) return "Uint8";
  if constexpr (std::is_same_v<Number, std::uint16_t>) return "Uint16";
  if constexpr (std::is_same_v<Number, std::uint32_t>) return "Uint32";
  if constexpr (std::is_same_v<Number, std::int16_t>) return "Int16";
  if constexpr (std::is_same_v<Number, std::int32_t>) return "Int32";
}

/// The numbers, or their differences, with the sign in the last bit.
template <typename Number>
std::vector<Number> with_last_signs(std::span<const Number> numbers, bool increments, std::size_t apart) {
  using Signed = std::make_signed_t<Number>;
  using Unsigned = std::make_unsigned_t<Number>;
  constexpr int sign_bit = 8 * sizeof(Number) - 1;
  std::vector<Number> result(numbers.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    auto value = static_cast<Unsigned>(numbers[k]);
    if (increments && k >= apart)
      value = static_cast<Unsigned>(value - static_cast<Unsigned>(numbers[k - apart]));
    const auto sign = static_cast<Unsigned>(static_cast<Signed>(value) >> sign_bit);
    result[k] = static_cast<Number>(static_cast<Unsigned>(value << 1) ^ sign);
  }
  return result;
}

std::vector<std::byte> split_planes(std::span<const std::byte> bytes, std::size_t width) {
  std::vector<std::byte> planes(bytes.size());
  const std::size_t count = bytes.size() / width;
  for (std::size_t k = 0; k < count; ++k)
    for (std::size_t plane = 0; plane < width; ++plane) planes[plane * count + k] = bytes[k * width + plane];
  return planes;
}

std::vector<std::byte> compress(std::span<const std::byte> bytes) {
  uLongf size = compressBound(bytes.size());
  std::vector<std::byte> packed(size);
  // Level 6: levels above take several times as long for a percent.
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()),
                bytes.size(), 6) != Z_OK)
    throw InputError(text("cannot compress ", bytes.size(), " bytes"));
  packed.resize(size);
  return packed;
}

}  // namespace

std::string base64(std::span<const std::byte> bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    const std::size_t here = std::min<std::size_t>(3, bytes.size() - k);
    std::uint32_t three = 0;
    for (std::size_t b = 0; b < 3; ++b)
      three = three << 8 | (b < here ? std::to_integer<std::uint32_t>(bytes[k + b]) : 0);
    for (std::size_t letter = 0; letter < 4; ++letter)
      result += letter <= here ? letters[three >> (18 - 6 * letter) & 63] : '=';
  }
  return result;
}

nlohmann::ordered_json PageArrays::add_packed(std::span<const std::byte> bytes, std::size_t width,
                                              const char* type) {
  const std::size_t number = elements_.size();
  elements_.push_back(text("<script type=\"text/plain\" id=\"geodome-array-", number, "\">",
                           base64(compress(split_planes(bytes, width))), "</script>\n"));
  return {{"array", number}, {"type", type}, {"length", bytes.size() / width}};
}

template <typename Number>
nlohmann::ordered_json PageArrays::add(std::span<const Number> numbers, ArrayFilter filter,
                                       std::size_t apart) {
  if constexpr (std::is_integral_v<Number>) {
    if (filter != ArrayFilter::planes) {
      const bool increments = filter == ArrayFilter::increments;
      const std::vector<Number> filtered = with_last_signs(numbers, increments, apart);
      auto facts = add_packed(std::as_bytes(std::span(filtered)), sizeof(Number), type_name<Number>());
      facts["signs"] = true;
      if (increments) facts["apart"] = apart;
      return facts;
    }
  }
  return add_packed(std::as_bytes(numbers), sizeof(Number), type_name<Number>());
}

template nlohmann::ordered_json PageArrays::add(std::span<const float>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const double>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint8_t>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint16_t>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint32_t>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const std::int16_t>, ArrayFilter, std::size_t);
template nlohmann::ordered_json PageArrays::add(std::span<const std::int32_t>, ArrayFilter, std::size_t);

}  // namespace geodome::cli
