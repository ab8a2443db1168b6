#include "geodome/base/read_number.h"

#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>

#ifdef __APPLE__
#include <xlocale.h>
#else
#include <locale.h>
#endif

namespace geodome::internal {
namespace {

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

char lower_case(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

std::size_t digits_at(std::string_view word, std::size_t begin) {
  std::size_t at = begin;
  while (at < word.size() && is_digit(word[at])) ++at;
  return at - begin;
}

bool has_at(std::string_view word, std::size_t at, std::string_view lower) {
  if (word.size() - at < lower.size()) return false;
  for (std::size_t k = 0; k < lower.size(); ++k)
    if (lower_case(word[at + k]) != lower[k]) return false;
  return true;
}

/// The end of "(letters)" where that follows a "nan", else `at`.
std::size_t after_payload(std::string_view word, std::size_t at) {
  if (at == word.size() || word[at] != '(') return at;
  std::size_t close = at + 1;
  while (close < word.size() && (is_digit(word[close]) || word[close] == '_' ||
                                 (lower_case(word[close]) >= 'a' && lower_case(word[close]) <= 'z')))
    ++close;
  return close < word.size() && word[close] == ')' ? close + 1 : at;
}

/// How many characters at the beginning are a decimal number, an infinity or a NaN; 0 if none.
std::size_t number_length(std::string_view word) {
  std::size_t at = word.starts_with('-') ? 1 : 0;
  if (has_at(word, at, "infinity")) return at + 8;
  if (has_at(word, at, "inf")) return at + 3;
  if (has_at(word, at, "nan")) return after_payload(word, at + 3);
  std::size_t digits = digits_at(word, at);
  at += digits;
  if (at < word.size() && word[at] == '.') {
    const std::size_t fraction = digits_at(word, at + 1);
    if (digits + fraction > 0) at += 1 + fraction;
    digits += fraction;
  }
  if (digits == 0) return 0;
  if (at < word.size() && lower_case(word[at]) == 'e') {
    const std::size_t sign = at + 1 < word.size() && (word[at + 1] == '-' || word[at + 1] == '+') ? 1 : 0;
    const std::size_t exponent = digits_at(word, at + 1 + sign);
    if (exponent > 0) at += 1 + sign + exponent;
  }
  return at;
}

}  // namespace

std::from_chars_result read_double_portably(const char* begin, const char* end, double& value) {
  const std::size_t length = number_length({begin, static_cast<std::size_t>(end - begin)});
  if (length == 0) return {begin, std::errc::invalid_argument};
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const std::string number(begin, length);  // what follows may be no memory of ours
  const double read = strtod_l(number.c_str(), nullptr, plain);
  const bool is_decimal = is_digit(number.back()) || number.back() == '.';
  const bool too_small = read == 0 && number.find_first_of("123456789") < number.find_first_of("eE");
  if (is_decimal && (std::isinf(read) || too_small)) return {begin + length, std::errc::result_out_of_range};
  value = read;
  return {begin + length, std::errc{}};
}

}  // namespace geodome::internal
