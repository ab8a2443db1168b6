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
  if constexpr (std::is_same_v<Number, std::int32_t>) return "Int32";
}

template <typename Whole>
void difference(std::vector<std::byte>& bytes) {
  Whole before = 0, now = 0;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Whole)) {
    std::memcpy(&now, bytes.data() + at, sizeof(Whole));
    const auto step = static_cast<Whole>(now - before);
    std::memcpy(bytes.data() + at, &step, sizeof(Whole));
    before = now;
  }
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

nlohmann::ordered_json PageArrays::add_bytes(std::span<const std::byte> bytes, std::size_t width,
                                             const char* type, ArrayFilter filter) {
  std::vector<std::byte> all(bytes.begin(), bytes.end());
  if (filter == ArrayFilter::increments) {
    if (width == 1) difference<std::uint8_t>(all);
    if (width == 2) difference<std::uint16_t>(all);
    if (width == 4) difference<std::uint32_t>(all);
  }
  const std::size_t number = elements_.size();
  elements_.push_back(text("<script type=\"text/plain\" id=\"geodome-array-", number, "\">",
                           base64(compress(split_planes(all, width))), "</script>\n"));
  return {{"array", number},
          {"type", type},
          {"length", bytes.size() / width},
          {"increments", filter == ArrayFilter::increments}};
}

template <typename Number>
nlohmann::ordered_json PageArrays::add(std::span<const Number> numbers, ArrayFilter filter) {
  if (!std::is_integral_v<Number>) filter = ArrayFilter::planes;
  return add_bytes(std::as_bytes(numbers), sizeof(Number), type_name<Number>(), filter);
}

template nlohmann::ordered_json PageArrays::add(std::span<const float>, ArrayFilter);
template nlohmann::ordered_json PageArrays::add(std::span<const double>, ArrayFilter);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint8_t>, ArrayFilter);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint16_t>, ArrayFilter);
template nlohmann::ordered_json PageArrays::add(std::span<const std::uint32_t>, ArrayFilter);
template nlohmann::ordered_json PageArrays::add(std::span<const std::int32_t>, ArrayFilter);

}  // namespace geodome::cli
