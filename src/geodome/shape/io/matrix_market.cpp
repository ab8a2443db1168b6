// Matrix Market (NIST): a square sparse matrix as a graph. Each entry listed is an edge whose value is its
// length (one for a pattern), also where both (i, j) and (j, i) are listed. Row r of the file is vertex r
// - 1.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/lines.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

constexpr std::string_view banner = "%%MatrixMarket";

bool begins_with_banner(std::string_view content) {
  return std::equal(banner.begin(), banner.end(), content.begin(),
                    content.begin() + static_cast<std::ptrdiff_t>(std::min(content.size(), banner.size())),
                    [](char wanted, char found) { return std::tolower(wanted) == std::tolower(found); });
}

// Checks that the banner announces something that is a graph; returns whether its entries have values.
bool has_values(const InputFile& file) {
  TextScanner scanner(file, TextStyle{'\0'});
  const auto lower_word = [&](const char* what) {
    if (scanner.at_line_end()) scanner.fail(text("the Matrix Market banner ends where ", what, " should be"));
    std::string word(scanner.word(what));
    for (char& letter : word) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return word;
  };
  if (!begins_with_banner(file.content)) scanner.fail("a Matrix Market file begins with %%MatrixMarket");
  lower_word("the banner");
  const std::string object = lower_word("the object");
  const std::string layout = lower_word("the layout");
  const std::string field = lower_word("the kind of numbers");
  const std::string symmetry = lower_word("the symmetry");
  if (object != "matrix" || layout != "coordinate") {
    scanner.fail(text("a graph is a 'matrix coordinate', not a '", object, " ", layout, "'"));
  }
  if (field != "real" && field != "integer" && field != "pattern" && field != "double") {
    scanner.fail(text("a graph has real, integer or pattern entries, not ", field));
  }
  if (symmetry != "general" && symmetry != "symmetric") {
    scanner.fail(text("a graph is a general or symmetric matrix, not ", symmetry));
  }
  return field != "pattern";
}

std::int64_t parse_row(const LineReader& lines, std::size_t column, std::int64_t rows) {
  std::int64_t row = 0;
  if (!parse_integer(lines.words()[column], row) || row < 1 || row > rows) {
    lines.fail(text("'", lines.words()[column].substr(0, 40), "' is not a row in [1, ", rows, "]"));
  }
  return row - 1;
}

struct MatrixSize {
  std::int64_t rows = 0;
  std::int64_t entries = 0;
};

MatrixSize read_size(LineReader& lines, const InputFile& file) {
  MatrixSize size;
  std::int64_t columns = 0;
  if (!lines.next() || lines.words().size() != 3 || !parse_integer(lines.words()[0], size.rows) ||
      !parse_integer(lines.words()[1], columns) || !parse_integer(lines.words()[2], size.entries)) {
    lines.fail("the size line must hold three integers: rows, columns, entries");
  }
  if (size.rows != columns) {
    lines.fail(text("the matrix is ", size.rows, " by ", columns, "; the matrix of a graph must be square"));
  }
  // Isolated vertices need no bytes; but a file that has few entries and vertices by the billion is no graph.
  constexpr std::size_t free_rows = 1 << 20;
  const auto most =
      std::min<std::size_t>(std::max(free_rows, file.content.size()), std::numeric_limits<Index>::max());
  if (size.rows < 1 || static_cast<std::uint64_t>(size.rows) > most) {
    lines.fail(
        text(size.rows, " rows, outside [1, ", most, "] for a file of ", file.content.size(), " bytes"));
  }
  constexpr std::uint64_t shortest_entry = 4;  // "1 1\n"
  if (size.entries < 0 ||
      static_cast<std::uint64_t>(size.entries) > (lines.remaining() + 1) / shortest_entry) {
    lines.fail(text("declares ", size.entries, " entries, but only ", lines.remaining(), " bytes follow"));
  }
  return size;
}

}  // namespace

Match recognise_matrix_market(const InputFile& file) {
  return begins_with_banner(file.content) ? Match::certain : Match::no;
}

Shape read_matrix_market(const InputFile& file) {
  const bool valued = has_values(file);
  LineReader lines(file);
  const MatrixSize size = read_size(lines, file);
  Graph graph;
  graph.vertices = static_cast<Index>(size.rows);
  graph.edges.reserve(static_cast<std::size_t>(size.entries));
  while (lines.next()) {
    if (static_cast<std::int64_t>(graph.edges.size()) == size.entries) {
      lines.fail(text("more entries than the ", size.entries, " declared"));
    }
    const std::size_t columns = valued ? 3 : 2;
    if (lines.words().size() != columns) {
      lines.fail(text("an entry must have ", columns, " numbers, not ", lines.words().size()));
    }
    Edge edge;
    edge.a = static_cast<Index>(parse_row(lines, 0, size.rows));
    edge.b = static_cast<Index>(parse_row(lines, 1, size.rows));
    if (valued &&
        (!parse_number(lines.words()[2], edge.length) || !std::isfinite(edge.length) || edge.length < 0)) {
      lines.fail(text("'", lines.words()[2].substr(0, 40),
                      "' is not a length: expected a finite number that is not negative"));
    }
    graph.edges.push_back(edge);
  }
  if (static_cast<std::int64_t>(graph.edges.size()) != size.entries) {
    lines.fail(text("the file ends after ", graph.edges.size(), " of ", size.entries, " entries"));
  }
  return graph;
}

}  // namespace geodome::internal
