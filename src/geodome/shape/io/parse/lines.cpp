#include "geodome/shape/io/parse/lines.h"

#include <algorithm>
#include <cstdint>

#include "geodome/base/error.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

bool is_comment(std::string_view line) {
  return line.starts_with('#') || line.starts_with('%') || line.starts_with("//");
}

}  // namespace

bool LineReader::next() {
  constexpr std::string_view separators = " \t,;\v\f";
  const std::string_view content = file_->content;
  while (position_ < content.size()) {
    const std::size_t end = std::min(content.find_first_of("\r\n", position_), content.size());
    std::string_view line = content.substr(position_, end - position_);
    position_ = end + (content.substr(end, 2) == "\r\n" ? 2 : 1);
    position_ = std::min(position_, content.size());
    ++line_;
    words_.clear();
    while (true) {
      line.remove_prefix(std::min(line.find_first_not_of(separators), line.size()));
      if (line.empty() || (words_.empty() && is_comment(line))) break;
      const std::size_t length = std::min(line.find_first_of(separators), line.size());
      words_.push_back(line.substr(0, length));
      line.remove_prefix(length);
    }
    if (!words_.empty()) {
      ++rows_;
      return true;
    }
  }
  return false;
}

bool LineReader::numbers(std::vector<double>& values) const {
  values.resize(words_.size());
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (!parse_number(words_[i], values[i])) return false;
  }
  return true;
}

void LineReader::fail(const std::string& message) const {
  throw FileError(text("'", file_->path, "', line ", line_, ": ", message));
}

TextLook look_at_text(const InputFile& file) {
  constexpr int most_rows = 20;
  constexpr int most_headers = 100;
  constexpr std::size_t most_bytes = 1 << 16;
  InputFile start{file.path, file.extension, file.content.substr(0, most_bytes)};
  if (start.content.find('\0') != std::string::npos) return {};
  // The last line may be cut off.
  if (file.content.size() > most_bytes) start.content.resize(start.content.find_last_of("\r\n") + 1);
  LineReader lines(start);
  TextLook look;
  std::vector<double> values;
  int rows = 0;
  for (int headers = 0; rows < most_rows && headers < most_headers && lines.next();) {
    if (!lines.numbers(values)) {
      if (rows > 0) return {};
      ++headers;
      continue;
    }
    // A first number on its own may be the count of the rows that follow.
    if (rows == 1 && look.columns == 1 && values.size() > 1) rows = 0;
    std::size_t integers = 0;
    std::int64_t ignored = 0;
    while (integers < values.size() && parse_integer(lines.words()[integers], ignored)) ++integers;
    if (rows > 0 && values.size() != look.columns) return {};
    look.integers = rows == 0 ? integers : std::min(look.integers, integers);
    look.columns = values.size();
    ++rows;
    const std::string_view row(
        lines.words().front().data(),
        static_cast<std::size_t>(lines.words().back().data() - lines.words().front().data()));
    look.commas = look.commas || row.find_first_of(",;") != std::string_view::npos;
  }
  return look;
}

}  // namespace geodome::internal
