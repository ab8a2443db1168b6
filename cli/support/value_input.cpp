#include "support/value_input.h"

#include <algorithm>
#include <limits>
#include <string_view>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/read_number.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/gifti.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Fields between commas, semicolons or tabs, or between spaces where there are none of these; without their
/// quotes.
std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  const std::size_t separator = line.find_first_of(",;\t");
  const std::string_view separators = separator == std::string_view::npos ? " " : line.substr(separator, 1);
  const bool spaces = separators == " ";
  while (true) {
    const std::size_t end = std::min(line.find(separators), line.size());
    std::string_view field = line.substr(0, end);
    while (field.starts_with(' ')) field.remove_prefix(1);
    while (field.ends_with(' ') || field.ends_with('\r')) field.remove_suffix(1);
    if (field.size() > 1 && field.starts_with('"') && field.ends_with('"'))
      field = field.substr(1, field.size() - 2);
    if (!spaces || !field.empty()) fields.push_back(field);
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

bool parse_value(std::string_view field, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  if (field.empty() || field == "nan" || field == "NaN" || field == "na" || field == "NA") return true;
  return parse_number(field, value);
}

/// "Vertex" is a column of vertices, too: read as values it would be interpolated.
bool names_vertices(std::string_view name) {
  constexpr std::string_view vertex = "vertex";
  return std::equal(name.begin(), name.end(), vertex.begin(), vertex.end(),
                    [](char a, char b) { return a == b || a == b - 'a' + 'A'; });
}

/// Collects lines of values, one for every vertex or for those that the lines name.
class ValueTable {
 public:
  ValueTable(const std::string& path, const Numbering& numbering, Index vertices)
      : path_(path), numbering_(numbering), vertices_(vertices), seen_(vertices, 0) {}

  void add(std::string_view line, std::vector<std::string>& names) {
    ++line_;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.starts_with('#')) return;
    const std::vector<std::string_view> fields = fields_of(line);
    double value = 0;
    if (rows_ == 0 && names.empty() && !std::all_of(fields.begin(), fields.end(), [&](std::string_view one) {
          return parse_value(one, value);
        })) {
      names.assign(fields.begin(), fields.end());
      named_ = names_vertices(names[0]);
      if (named_) names.erase(names.begin());
      return;
    }
    const std::size_t columns = fields.size() - (named_ ? 1 : 0);
    if (rows_ == 0) start(columns);
    if (columns != static_cast<std::size_t>(values_.cols()))
      fail(text("expected ", counted(values_.cols(), "value", "values"), ", got ", columns));
    const Index vertex = named_ ? named_vertex(fields[0]) : rows_;
    if (vertex >= vertices_) fail(text("more lines than the ", vertices_, " vertices of the shape"));
    if (seen_[vertex]) fail(text("vertex ", fields[0], " has values on an earlier line"));
    seen_[vertex] = 1;
    for (std::size_t c = 0; c < columns; ++c)
      if (!parse_value(fields[c + (named_ ? 1 : 0)], values_(vertex, static_cast<Eigen::Index>(c))))
        fail(text(quoted_word(fields[c + (named_ ? 1 : 0)]), " is not a number"));
    ++rows_;
  }

  RowMatrix<double> take() {
    if (rows_ == 0) throw FileError(text("'", path_, "' contains no values"));
    if (!named_ && rows_ != vertices_)
      throw FileError(text("'", path_, "' has values for ", rows_, " vertices, but the shape has ", vertices_,
                           ": for some vertices, add a first line \"vertex,value\" and vertex numbers"));
    return std::move(values_);
  }

 private:
  void start(std::size_t columns) {
    if (columns == 0) fail("expected at least one value");
    values_ = RowMatrix<double>::Constant(vertices_, static_cast<Eigen::Index>(columns),
                                          std::numeric_limits<double>::quiet_NaN());
  }

  Index named_vertex(std::string_view field) const {
    std::int64_t number = 0;
    const auto [end, error] = read_number(field.data(), field.data() + field.size(), number);
    if (error != std::errc() || end != field.data() + field.size())
      fail(text(quoted_word(field), " is not a vertex number"));
    try {
      return numbering_.vertex(number);
    } catch (const InputError& problem) {
      fail(problem.what());
    }
  }

  [[noreturn]] void fail(const std::string& message) const {
    throw FileError(text("'", path_, "', line ", line_, ": ", message));
  }

  const std::string& path_;
  const Numbering& numbering_;
  Index vertices_;
  std::size_t line_ = 0;
  Index rows_ = 0;
  bool named_ = false;
  std::vector<char> seen_;
  RowMatrix<double> values_;
};

/// All arrays of one value per vertex.
RowMatrix<double> gifti_values(const InputFile& file, Index vertices) {
  RowMatrix<double> values(vertices, 0);
  for (const GiftiArray& array : parse_gifti(file)) {
    if (array.rows != vertices || array.columns != 1) continue;
    values.conservativeResize(Eigen::NoChange, values.cols() + 1);
    values.rightCols(1) = decode_gifti(array, file);
  }
  if (values.cols() == 0)
    throw FileError(
        text("'", file.path, "' has no array of one value for each of the ", vertices, " vertices"));
  return values;
}

}  // namespace

RowMatrix<double> read_values(const std::string& path, const Numbering& numbering, Index vertices,
                              std::vector<std::string>& names) {
  const InputFile file = load_file(path);
  names.clear();
  RowMatrix<double> values;
  if (file.content.starts_with("\x93NUMPY")) {
    values = parse_npy_matrix(file);
    if (values.rows() != vertices)
      throw FileError(
          text("'", path, "' has values for ", values.rows(), " vertices, but the shape has ", vertices));
  } else if (recognise_gifti(file) == Match::certain) {
    values = gifti_values(file, vertices);
  } else {
    ValueTable table(path, numbering, vertices);
    std::string_view rest = file.content;
    if (constexpr std::string_view mark = "\xEF\xBB\xBF"; rest.starts_with(mark))  // as Excel writes it
      rest.remove_prefix(mark.size());
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      table.add(rest.substr(0, end), names);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    values = table.take();
  }
  if (names.size() != static_cast<std::size_t>(values.cols())) {
    names.clear();
    for (Eigen::Index c = 0; c < values.cols(); ++c)
      names.push_back(text("value", values.cols() > 1 ? text(c) : ""));
  }
  return values;
}

}  // namespace geodome::cli
