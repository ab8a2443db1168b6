#include "geodome/shape/io/parse/scan.h"

#include <algorithm>
#include <limits>

#include "geodome/base/error.h"
#include "geodome/base/read_number.h"

namespace geodome::internal {
namespace {

bool is_line_end(char letter) {
  return letter == '\n' || letter == '\r';
}

bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\v' || letter == '\f';
}

const char* behind_line_end(const char* at, const char* end) {
  return *at == '\r' && at + 1 < end && at[1] == '\n' ? at + 2 : at + 1;
}

std::size_t line_number(const char* begin, const char* here) {
  std::size_t lines = 1;
  for (const char* at = begin; at < here; ++at)
    lines += *at == '\n' || (*at == '\r' && !(at + 1 < here && at[1] == '\n'));
  return lines;
}

template <typename Value>
const char* parse_prefix(const char* begin, const char* end, Value& value) {
  if (begin < end && *begin == '+') {
    ++begin;
    if (begin < end && *begin == '-') return nullptr;
  }
  const auto [stop, error] = read_number(begin, end, value);
  if (error == std::errc{}) return stop;
  if constexpr (std::is_floating_point_v<Value>) {
    // Too small or too large for a double: what arithmetic would make of it.
    if (error == std::errc::result_out_of_range) {
      const std::string_view digits(begin, static_cast<std::size_t>(stop - begin));
      const std::size_t exponent = digits.find_first_of("eE");
      const bool tiny = exponent != std::string_view::npos
                            ? digits.substr(exponent + 1).starts_with('-')
                            : digits.find_first_of("123456789") > digits.find('.');
      value = tiny ? Value{0} : std::numeric_limits<Value>::infinity();
      if (digits.starts_with('-')) value = -value;
      return stop;
    }
  }
  return nullptr;
}

template <typename Value>
bool parse_whole(std::string_view word, Value& value) {
  const char* end = word.data() + word.size();
  return !word.empty() && parse_prefix(word.data(), end, value) == end;
}

}  // namespace

std::string quoted_word(std::string_view word) {
  std::string result = "'";
  for (char letter : word.substr(0, 40)) result += letter >= ' ' && letter < '\x7f' ? letter : '?';
  return result + (word.size() > 40 ? "…'" : "'");
}

bool parse_number(std::string_view word, double& value) {
  return parse_whole(word, value);
}

bool parse_integer(std::string_view word, std::int64_t& value) {
  return parse_whole(word, value);
}

TextScanner::TextScanner(const InputFile& file, TextStyle style, std::size_t start)
    : file_(&file),
      style_(style),
      begin_(file.content.data()),
      here_(begin_ + std::min(start, file.content.size())),
      end_(begin_ + file.content.size()) {}

bool TextScanner::at_line_end() {
  while (here_ < end_) {
    const char letter = *here_;
    if (is_blank(letter) || letter == style_.separator) {
      ++here_;
    } else if (letter == '\\' && style_.continuation && here_ + 1 < end_ && is_line_end(here_[1])) {
      here_ = behind_line_end(here_ + 1, end_);
    } else {
      return is_line_end(letter) || (letter == style_.comment && letter != '\0');
    }
  }
  return true;
}

void TextScanner::next_line() {
  while (here_ < end_ && !is_line_end(*here_)) {
    const bool joined = style_.continuation && *here_ == '\\' && here_ + 1 < end_ && is_line_end(here_[1]);
    here_ = joined ? behind_line_end(here_ + 1, end_) : here_ + 1;
  }
  if (here_ < end_) here_ = behind_line_end(here_, end_);
}

bool TextScanner::at_end() {
  while (at_line_end()) {
    if (here_ == end_) return true;
    next_line();
  }
  return false;
}

bool TextScanner::ends_word(const char* at) const {
  return at == end_ || is_blank(*at) || is_line_end(*at) || *at == style_.separator ||
         (*at == style_.comment && style_.comment != '\0') ||
         (*at == '\\' && style_.continuation && at + 1 < end_ && is_line_end(at[1]));
}

std::string_view TextScanner::word(std::string_view what) {
  if (at_end()) fail(text("the file ends where ", what, " should be"));
  const char* start = here_;
  while (!ends_word(here_)) ++here_;
  return {start, static_cast<std::size_t>(here_ - start)};
}

double TextScanner::number(std::string_view what) {
  if (at_end()) fail(text("the file ends where ", what, " should be"));
  double value = 0;
  const char* stop = parse_prefix(here_, end_, value);
  if (stop == nullptr || !ends_word(stop)) fail_expecting(what, "a number");
  here_ = stop;
  return value;
}

std::int64_t TextScanner::integer(std::string_view what) {
  if (at_end()) fail(text("the file ends where ", what, " should be"));
  std::int64_t value = 0;
  const char* stop = parse_prefix(here_, end_, value);
  if (stop == nullptr || !ends_word(stop)) fail_expecting(what, "an integer");
  here_ = stop;
  return value;
}

std::int64_t TextScanner::count(std::string_view what) {
  const std::int64_t value = integer(what);
  if (value < 0 || value > std::numeric_limits<std::int32_t>::max())
    fail(text(what, " is ", value, ", outside [0, 2147483647]"));
  return value;
}

std::string_view TextScanner::rest_of_line() const {
  const char* start = here_;
  const char* stop = here_;
  while (stop < end_ && !is_line_end(*stop)) ++stop;
  while (start < stop && is_blank(*start)) ++start;
  while (start < stop && is_blank(stop[-1])) --stop;
  return {start, static_cast<std::size_t>(stop - start)};
}

void TextScanner::expect(std::int64_t items, std::size_t bytes_each, std::string_view what) const {
  // The last item needs no separator behind it.
  if (items > 0 && static_cast<std::uint64_t>(items) > (remaining() + 1) / bytes_each)
    fail(text("declares ", items, " ", what, ", but only ", remaining(), " bytes follow"));
}

void TextScanner::fail_expecting(std::string_view what, std::string_view kind) const {
  const char* stop = here_;
  while (!ends_word(stop)) ++stop;
  const std::string_view word(here_, static_cast<std::size_t>(stop - here_));
  fail(text(what, " should be ", kind, ", not ", quoted_word(word)));
}

void TextScanner::fail(const std::string& message) const {
  throw FileError(text("'", file_->path, "', line ", line_number(begin_, here_), ": ", message));
}

ByteCursor::ByteCursor(const InputFile& file, ByteOrder order, std::size_t start)
    : file_(&file), order_(order), position_(std::min(start, file.content.size())) {}

void ByteCursor::expect(std::uint64_t items, std::uint64_t bytes_each, std::string_view what) const {
  if (bytes_each > 0 && items > remaining() / bytes_each)
    fail(text("declares ", items, " ", what, " of ", bytes_each, " bytes, but only ", remaining(),
              " bytes follow"));
}

void ByteCursor::fail(const std::string& message) const {
  throw FileError(text("'", file_->path, "', byte ", position_, ": ", message));
}

void ByteCursor::fail_short(std::uint64_t bytes, std::string_view what) const {
  fail(text("the file ends where ", what, " should be (", bytes, " bytes needed, ", remaining(), " left)"));
}

}  // namespace geodome::internal
