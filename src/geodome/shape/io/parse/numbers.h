#pragma once
/// Numbers as binary files store them: eleven types, two byte orders.

#include <cstddef>
#include <string_view>
#include <vector>

#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {

enum class NumberType { int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64 };

/// Bytes of one number.
std::size_t number_size(NumberType type);

/// Reads `count` numbers from `bytes`, which holds at least count * number_size(type); no alignment is
/// needed. 64-bit integers above 2^53 are rounded. Cost: one pass.
void decode_numbers(const char* bytes, std::size_t count, NumberType type, ByteOrder order, double* out);

/// The bytes that base64 text stands for; spaces and line ends are skipped. Throws FileError, starting with
/// `context`, at the first other character and where the text is cut short.
std::vector<char> decode_base64(std::string_view base64, std::string_view context);

/// Exactly `size` bytes out of a zlib or gzip stream. Throws FileError, starting with `context`, where the
/// stream is broken or holds fewer or more; before allocating, where no stream of this length can hold so
/// many.
std::vector<char> inflate_exactly(const std::vector<char>& compressed, std::size_t size,
                                  std::string_view context);

}  // namespace geodome::internal
