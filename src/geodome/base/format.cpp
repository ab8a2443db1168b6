#include "geodome/base/format.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

std::string formatted(const char* format, double number) {
  char digits[64];
  std::snprintf(digits, sizeof digits, format, number);
  return digits;
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t place = static_cast<std::ptrdiff_t>(digits.size()) - 3; place > (number < 0);
       place -= 3)
    digits.insert(static_cast<std::size_t>(place), 1, ',');
  return digits;
}

std::string counted(std::int64_t number, const std::string& one, const std::string& many) {
  return text(grouped(number), ' ', number == 1 ? one : many);
}

std::string brief(double value) {
  return formatted("%.6g", value);
}

std::string exact_digits(double value) {
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
}

std::string byte_count(std::int64_t bytes) {
  const char* units[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
  auto amount = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (amount >= 999.5 && unit + 1 < std::size(units)) {
    amount /= 1000;
    ++unit;
  }
  return formatted(unit == 0 ? "%.0f" : "%.3g", amount) + " " + units[unit];
}

std::string duration(double seconds) {
  if (seconds < 9.95) return formatted("%.2g s", seconds);
  const auto whole = static_cast<long long>(std::llround(seconds));
  if (whole < 60) return std::to_string(whole) + " s";
  if (whole < 3600) return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
  return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

}  // namespace geodome::internal
