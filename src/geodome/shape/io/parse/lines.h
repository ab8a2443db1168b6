#pragma once
/// Walks through a text of rows of words, such as point and edge lists: one row per line, words separated by
/// spaces, tabs, commas or semicolons; empty lines and comment lines (#, %, //) are skipped.

#include <string>
#include <string_view>
#include <vector>

#include "geodome/shape/io/parse/input_file.h"

namespace geodome::internal {

class LineReader {
 public:
  /// The file must outlive the reader.
  explicit LineReader(const InputFile& file) : file_(&file) {}

  /// Moves to the next line that has words; false at the end of the file.
  bool next();
  /// The words of the line, valid until the next call.
  const std::vector<std::string_view>& words() const { return words_; }
  /// All words as numbers; false where one of them is not.
  bool numbers(std::vector<double>& values) const;

  /// Whether the reader is still at the first line that has words.
  bool first() const { return rows_ == 1; }
  std::size_t remaining() const { return file_->content.size() - position_; }
  /// Throws FileError with the file, the number of the current line and the message.
  [[noreturn]] void fail(const std::string& message) const;

 private:
  const InputFile* file_;
  std::size_t position_ = 0;  // where the next line begins
  std::size_t line_ = 0;      // number of the current line, from 1
  std::size_t rows_ = 0;      // lines with words so far
  std::vector<std::string_view> words_;
};

/// What the first rows of a text look like, to tell apart what is written there.
struct TextLook {
  std::size_t columns = 0;   ///< numbers in each row; 0 where the rows differ or there are none
  std::size_t integers = 0;  ///< how many of the first columns hold integers only
  bool commas = false;       ///< words are separated by commas or semicolons
};

/// Looks at up to twenty rows of numbers near the beginning, behind up to a hundred lines of other words;
/// nothing is found in binary data.
TextLook look_at_text(const InputFile& file);

}  // namespace geodome::internal
