#pragma once
/// Numbers from characters, whatever the locale is.

#include <charconv>
#include <version>

namespace geodome::internal {

/// std::from_chars of doubles from parts that every C++ library has: libc++ lacks it before version 20. Cost:
/// several times that of std::from_chars.
std::from_chars_result read_double_portably(const char* begin, const char* end, double& value);

/// std::from_chars for integers and doubles.
template <typename Number>
std::from_chars_result read_number(const char* begin, const char* end, Number& value) {
  return std::from_chars(begin, end, value);
}
#if !defined(__cpp_lib_to_chars) || defined(GEODOME_POSIX_ONLY)
template <>
inline std::from_chars_result read_number(const char* begin, const char* end, double& value) {
  return read_double_portably(begin, end, value);
}
#endif

}  // namespace geodome::internal
