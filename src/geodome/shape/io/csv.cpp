#include "geodome/shape/io/csv.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/lines.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

std::string_view trimmed(std::string_view field) {
  const std::size_t first = field.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return field.substr(first, field.find_last_not_of(" \t") + 1 - first);
}

// Samples are read from comma-separated values (RFC 4180): one sample per line, the same number of fields in
// each, all of them numbers, possibly quoted. The first line may name the columns. The separator is the one
// of , ; and tab that occurs in the first line. Every column is a coordinate, a column of labels too: remove
// it beforehand.

/// Splits the file into records of fields; a quoted field may hold separators and line ends.
class CsvReader {
 public:
  explicit CsvReader(const InputFile& file) : file_(&file), rest_(file.content) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
    const std::string_view first = rest_.substr(0, std::min(rest_.find_first_of("\r\n"), rest_.size()));
    for (char candidate : {',', ';', '\t'}) {
      if (first.find(candidate) == std::string_view::npos) continue;
      separator_ = candidate;
      break;
    }
  }

  /// Moves to the next line that is not empty; false at the end.
  bool next() {
    while (!rest_.empty()) {
      line_ += 1 + lines_in_record_;
      lines_in_record_ = 0;
      fields_.clear();
      read_field();
      while (rest_.starts_with(separator_)) {
        rest_.remove_prefix(1);
        read_field();
      }
      if (rest_.starts_with("\r\n")) {
        rest_.remove_prefix(2);
      } else if (!rest_.empty()) {
        rest_.remove_prefix(1);
      }
      if (fields_.size() > 1 || !fields_[0].empty()) return true;
    }
    return false;
  }

  const std::vector<std::string_view>& fields() const { return fields_; }

  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(text("'", file_->path, "', line ", line_, ": ", message));
  }

 private:
  // A doubled quote inside quotes is kept as it is: no number contains one.
  void read_field() {
    const std::size_t space = std::min(rest_.find_first_not_of(" "), rest_.size());
    if (rest_.substr(space).starts_with('"')) {
      std::size_t end = space + 1;
      while (true) {
        end = rest_.find('"', end);
        if (end == std::string_view::npos) fail("a quoted field does not end");
        if (rest_.substr(end + 1, 1) != "\"") break;
        end += 2;
      }
      fields_.push_back(trimmed(rest_.substr(space + 1, end - space - 1)));
      lines_in_record_ +=
          static_cast<std::size_t>(std::count(fields_.back().begin(), fields_.back().end(), '\n'));
      rest_.remove_prefix(end + 1);
      rest_.remove_prefix(std::min(rest_.find_first_not_of(" "), rest_.size()));
      if (!rest_.empty() && rest_[0] != separator_ && rest_[0] != '\r' && rest_[0] != '\n') {
        fail("a quoted field is followed by something other than a separator");
      }
      return;
    }
    const char ends[] = {separator_, '\r', '\n'};
    const std::size_t end = std::min(rest_.find_first_of(std::string_view(ends, 3)), rest_.size());
    fields_.push_back(trimmed(rest_.substr(0, end)));
    rest_.remove_prefix(end);
  }

  const InputFile* file_;
  std::string_view rest_;
  char separator_ = ',';
  std::size_t line_ = 0;
  std::size_t lines_in_record_ = 0;  // line ends inside quotes, beyond the one at the end
  std::vector<std::string_view> fields_;
};

bool all_numbers(const std::vector<std::string_view>& fields) {
  double ignored = 0;
  return std::all_of(fields.begin(), fields.end(), [&](auto field) { return parse_number(field, ignored); });
}

// A name as a field: in quotes, with quotes inside doubled, where it needs them.
std::string quoted_name(const std::string& name) {
  if (name.find_first_of(",;\"\r\n\t") == std::string::npos) return name;
  std::string field = "\"";
  for (char letter : name) field += letter == '"' ? std::string("\"\"") : std::string(1, letter);
  return field + "\"";
}

}  // namespace

Match recognise_csv(const InputFile& file) {
  return look_at_text(file).commas ? Match::possible : Match::no;
}

Shape read_csv(const InputFile& file) {
  CsvReader records(file);
  std::vector<double> values;
  std::size_t columns = 0;
  std::size_t rows = 0;
  for (bool first = true; records.next(); first = false) {
    const auto& fields = records.fields();
    if (first) {
      columns = fields.size();
      if (!all_numbers(fields)) continue;
    }
    if (fields.size() != columns)
      records.fail(text(fields.size(), " fields, but the first line has ", columns));
    for (std::size_t column = 0; column < columns; ++column) {
      double value = 0;
      if (!parse_number(fields[column], value)) {
        records.fail(text("field ", column + 1, " is '", fields[column].substr(0, 40), "', not a number"));
      }
      values.push_back(value);
    }
    ++rows;
  }
  if (rows == 0) records.fail("there are no samples in the file");
  if (rows > static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    records.fail(text(rows, " samples, more than ", std::numeric_limits<Index>::max()));
  }
  Samples samples;
  samples.values = Eigen::Map<const RowMatrix<double>>(values.data(), static_cast<Eigen::Index>(rows),
                                                       static_cast<Eigen::Index>(columns));
  return samples;
}

void write_csv(const Eigen::Ref<const RowMatrix<double>>& matrix, const std::string& path,
               const std::vector<std::string>& names) {
  if (!names.empty() && names.size() != static_cast<std::size_t>(matrix.cols())) {
    throw InputError(text(names.size(), " names for ", matrix.cols(), " columns"));
  }
  AtomicFile file(path);
  for (std::size_t column = 0; column < names.size(); ++column) {
    file.write(quoted_name(names[column]));
    file.write(column + 1 < names.size() ? "," : "\n");
  }
  char number[32];
  for (Eigen::Index row = 0; row < matrix.rows(); ++row) {
    for (Eigen::Index column = 0; column < matrix.cols(); ++column) {
      const auto [end, error] = std::to_chars(number, number + sizeof number, matrix(row, column));
      file.write({number, static_cast<std::size_t>(end - number)});
      file.write(column + 1 < matrix.cols() ? "," : "\n");
    }
  }
  file.commit();
}

}  // namespace geodome::internal
