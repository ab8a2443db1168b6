#pragma once
/// The two ways to walk through a file's bytes: as text (words, numbers, lines) and as binary values in
/// either byte order. Neither ever leaves the file; both throw FileError that names the file and the place.

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "geodome/shape/io/parse/input_file.h"

namespace geodome::internal {

/// The word in quotes, shortened and made printable, for a message.
std::string quoted_word(std::string_view word);

struct TextStyle {
  char comment = '#';         ///< starts a comment that reaches to the end of its line; '\0' for none
  bool continuation = false;  ///< a backslash at the end of a line joins it with the next
  char separator = ' ';  ///< one more character, beside space and tab, that separates words (',' for CSV)
};

/// Walks through text. Lines end with "\n", "\r\n" or "\r". Numbers do not depend on the locale.
/// The file must outlive the scanner. Cost: one pass; line numbers are counted only when something fails.
class TextScanner {
 public:
  explicit TextScanner(const InputFile& file, TextStyle style = {}, std::size_t start = 0);

  /// Skips white space, line ends and comments; true if nothing is left.
  bool at_end();
  /// Skips white space within the line; true at its end, at a comment, and at the end of the file.
  bool at_line_end();
  /// Moves to the start of the next line.
  void next_line();

  /// The next word, on this line or a later one. Throws if there is none.
  std::string_view word(std::string_view what);
  /// The next word as a number; "nan", "inf" and a leading '+' are numbers.
  double number(std::string_view what);
  /// The next word as an integer of 64 bits.
  std::int64_t integer(std::string_view what);
  /// An integer in [0, 2^31), for counts of vertices and faces.
  std::int64_t count(std::string_view what);
  /// The rest of the line, without surrounding white space; does not move.
  std::string_view rest_of_line() const;

  /// Throws unless `items`, each of at least `bytes_each` bytes, can still follow.
  void expect(std::int64_t items, std::size_t bytes_each, std::string_view what) const;
  [[noreturn]] void fail(const std::string& message) const;

  std::size_t position() const { return static_cast<std::size_t>(here_ - begin_); }
  std::size_t remaining() const { return static_cast<std::size_t>(end_ - here_); }

 private:
  bool ends_word(const char* at) const;
  [[noreturn]] void fail_expecting(std::string_view what, std::string_view kind) const;

  const InputFile* file_;
  TextStyle style_;
  const char* begin_;
  const char* here_;
  const char* end_;
};

/// The whole word as a number; false if it is not one.
bool parse_number(std::string_view word, double& value);
bool parse_integer(std::string_view word, std::int64_t& value);

enum class ByteOrder { little, big };

inline constexpr ByteOrder native_order =
    std::endian::native == std::endian::little ? ByteOrder::little : ByteOrder::big;

/// The value stored at `bytes`, which need not be aligned.
template <typename Value>
Value load_value(const char* bytes, ByteOrder order) {
  char copy[sizeof(Value)];
  for (std::size_t i = 0; i < sizeof(Value); ++i)
    copy[i] = bytes[order == native_order ? i : sizeof(Value) - 1 - i];
  Value value;
  std::memcpy(&value, copy, sizeof(Value));
  return value;
}

/// Walks through binary data. The file must outlive the cursor.
class ByteCursor {
 public:
  explicit ByteCursor(const InputFile& file, ByteOrder order, std::size_t start = 0);

  template <typename Value>
  Value read(std::string_view what) {
    return load_value<Value>(take(sizeof(Value), what), order_);
  }
  /// The start of the next `bytes` bytes, and moves behind them.
  const char* take(std::size_t bytes, std::string_view what) {
    if (bytes > remaining()) fail_short(bytes, what);
    const char* start = file_->content.data() + position_;
    position_ += bytes;
    return start;
  }

  /// Throws unless `items` of `bytes_each` bytes can still follow. Safe for any header value.
  void expect(std::uint64_t items, std::uint64_t bytes_each, std::string_view what) const;
  [[noreturn]] void fail(const std::string& message) const;

  ByteOrder order() const { return order_; }
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return file_->content.size() - position_; }

 private:
  [[noreturn]] void fail_short(std::uint64_t bytes, std::string_view what) const;

  const InputFile* file_;
  ByteOrder order_;
  std::size_t position_;
};

}  // namespace geodome::internal
