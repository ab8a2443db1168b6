#include "support/bounds.h"

#include <cmath>
#include <optional>
#include <string>

#include "geodome/base/error.h"
#include "geodome/base/read_number.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// The whole word as a number; none where it is none, or where the type cannot hold it.
template <typename Number>
std::optional<Number> parsed(const std::string& word, bool& too_large) {
  Number value{};
  const std::size_t begin = word.starts_with('+') ? 1 : 0;
  const char* end = word.data() + word.size();
  const auto [rest, error] = read_number(word.data() + begin, end, value);
  too_large = error == std::errc::result_out_of_range && rest == end;
  if (error != std::errc() || rest != end) return std::nullopt;
  return value;
}

constexpr std::uint64_t largest_seed = std::numeric_limits<std::uint64_t>::max();

template <typename Number>
std::string out_of_range(const std::string& word, Number least, Number most) {
  return text(word, " is out of range [", least, ", ", most, "]");
}

/// "0 or more" where the upper bound is only that of the type.
std::string range_text(std::int64_t least, std::int64_t most) {
  if (most == std::numeric_limits<std::int64_t>::max()) return "";
  if (most == std::numeric_limits<Index>::max()) return text(least, " or more");
  return text(least, " to ", most);
}

}  // namespace

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  return CLI::Validator(
      [least, most](std::string& word) -> std::string {
        bool too_large = false;
        const auto value = parsed<std::int64_t>(word, too_large);
        if (too_large || (value && (*value < least || *value > most))) return out_of_range(word, least, most);
        if (!value)
          return text("'", word, "' is not an integer: expected decimal digits, in the range [", least, ", ",
                      most, "]");
        word = std::to_string(*value);  // leading zeros would be read as octal
        return {};
      },
      range_text(least, most));
}

CLI::Validator vertex_number() {
  using Limits = std::numeric_limits<std::int64_t>;
  return whole_number(Limits::min(), Limits::max());
}

CLI::Validator seed_number() {
  return CLI::Validator(
      [](std::string& word) -> std::string {
        bool too_large = false, negative = false;
        const auto value = parsed<std::uint64_t>(word, too_large);
        if (!value && word.starts_with('-')) negative = parsed<std::int64_t>(word, too_large) || too_large;
        if (too_large || negative) return out_of_range(word, std::uint64_t{0}, largest_seed);
        if (!value)
          return text("'", word, "' is not an integer: expected decimal digits, in the range [0, ",
                      largest_seed, "]");
        word = std::to_string(*value);
        return {};
      },
      "0 or more");
}

namespace {

std::string check_number(const std::string& word, double least, double most, bool open) {
  bool too_large = false;
  const auto value = parsed<double>(word, too_large);
  const std::string range = text(open ? "(" : "[", brief(least), ", ", brief(most), "]");
  if ((!value && !too_large) || (value && std::isnan(*value)))
    return text("'", word, "' is not a number: expected one in the range ", range);
  if (too_large || *value < least || *value > most || (open && *value == least))
    return text(word, " is out of range ", range);
  return {};
}

}  // namespace

CLI::Validator number_from(double least, double most) {
  return CLI::Validator(
      [least, most](std::string& word) { return check_number(word, least, most, false); },
      std::isinf(most) ? text(brief(least), " or more") : text(brief(least), " to ", brief(most)));
}

CLI::Validator positive_number(double most) {
  return CLI::Validator([most](std::string& word) { return check_number(word, 0, most, true); },
                        "more than 0");
}

CLI::Validator share_number() {
  return CLI::Validator(
      [](std::string& word) -> std::string {
        const bool percent = !word.empty() && word.back() == '%';
        std::string number = percent ? word.substr(0, word.size() - 1) : word;
        const std::string wrong = check_number(number, 0, percent ? 100 : 1, true);
        if (wrong.empty() && percent) word = exact_digits(std::strtod(number.c_str(), nullptr) / 100);
        return wrong;
      },
      "more than 0 and less than 1, or 100%");
}

CLI::Validator gigabytes() {
  return positive_number(1e9);
}

}  // namespace geodome::cli
