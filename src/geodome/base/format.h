#pragma once
/// Numbers, sizes and times as people read them.

#include <cstdint>
#include <string>

namespace geodome::internal {

/// 1234567 as "1,234,567".
std::string grouped(std::int64_t number);

/// "1 vertex", "1,234 vertices"
std::string counted(std::int64_t number, const std::string& one, const std::string& many);

/// Six significant digits, no trailing zeros.
std::string brief(double value);

/// The shortest digits that give this number back.
std::string exact_digits(double value);

/// 1234567 as "1.23 MB".
std::string byte_count(std::int64_t bytes);

/// "0.25 s", "12 s", "3 min 20 s", "2 h 5 min"
std::string duration(double seconds);

}  // namespace geodome::internal
