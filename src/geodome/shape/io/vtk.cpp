// The polydata of VTK's legacy file format: points with polygons and triangle strips, as text or big-endian
// binary, cells in the form of all versions up to 4 (a count before each cell) or of 5 (offsets and
// connectivity). Vertices and lines are skipped; reading stops where attributes begin.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/face_list.h"
#include "geodome/shape/io/parse/numbers.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

struct TypeName {
  std::string_view name;
  NumberType type;
};

constexpr TypeName vtk_types[] = {
    {"unsigned_char", NumberType::uint8},   {"char", NumberType::int8},
    {"unsigned_short", NumberType::uint16}, {"short", NumberType::int16},
    {"unsigned_int", NumberType::uint32},   {"int", NumberType::int32},
    {"unsigned_long", NumberType::uint64},  {"long", NumberType::int64},
    {"vtktypeint64", NumberType::int64},    {"vtktypeuint64", NumberType::uint64},
    {"vtkIdType", NumberType::int32},       {"float", NumberType::float32},
    {"double", NumberType::float64}};

/// The file as a sequence of keywords, counts and arrays.
class VtkFile {
 public:
  explicit VtkFile(const InputFile& file) : file_(&file), scanner_(file, TextStyle{'\0'}) {
    scanner_.next_line();  // "# vtk DataFile Version 4.2"
    scanner_.next_line();  // the title
    const std::string_view encoding = scanner_.word("ASCII or BINARY");
    if (encoding != "ASCII" && encoding != "BINARY") {
      scanner_.fail(text("the third line is '", encoding.substr(0, 40), "', not ASCII or BINARY"));
    }
    binary_ = encoding == "BINARY";
  }

  TextScanner& text_scanner() { return scanner_; }

  NumberType type() {
    const std::string_view name = scanner_.word("a type of numbers");
    for (const TypeName& known : vtk_types) {
      if (known.name == name) return known.type;
    }
    scanner_.fail(text("numbers of type '", name.substr(0, 40), "' are not supported"));
  }

  std::vector<double> numbers(std::int64_t count, NumberType type, std::string_view what) {
    std::vector<double> values;
    if (binary_) {
      scanner_.next_line();
      ByteCursor cursor(*file_, ByteOrder::big, scanner_.position());
      cursor.expect(static_cast<std::uint64_t>(count), number_size(type), what);
      values.resize(static_cast<std::size_t>(count));
      const char* bytes = cursor.take(values.size() * number_size(type), what);
      decode_numbers(bytes, values.size(), type, ByteOrder::big, values.data());
      scanner_ = TextScanner(*file_, TextStyle{'\0'}, cursor.position());
    } else {
      scanner_.expect(count, 2, what);
      values.resize(static_cast<std::size_t>(count));
      for (double& value : values) value = scanner_.number(what);
    }
    return values;
  }

  /// Vertex numbers, each checked against [0, vertices).
  std::vector<Index> vertices(std::int64_t count, NumberType type, std::int64_t vertex_count,
                              std::string_view what) {
    return integers(count, type, vertex_count - 1, what);
  }

  /// Whole numbers in [0, largest].
  std::vector<Index> integers(std::int64_t count, NumberType type, std::int64_t largest,
                              std::string_view what) {
    const std::vector<double> values = numbers(count, type, what);
    std::vector<Index> result(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // Checked before it is cast: no value of a double outside the range is an Index.
      if (!(values[i] >= 0 && values[i] <= static_cast<double>(largest)) ||
          values[i] != std::floor(values[i])) {
        scanner_.fail(
            text(what, ": number ", i, " is ", values[i], ", not an integer in [0, ", largest, "]"));
      }
      result[i] = static_cast<Index>(values[i]);
    }
    return result;
  }

 private:
  const InputFile* file_;
  TextScanner scanner_;
  bool binary_ = false;
};

/// Cells of one kind: cell c has the vertices connectivity[offsets[c] .. offsets[c + 1]).
struct Cells {
  std::vector<Index> offsets;
  std::vector<Index> connectivity;
};

// Version 5: POLYGONS (cells + 1) (corners) OFFSETS type … CONNECTIVITY type …
Cells read_offset_cells(VtkFile& vtk, std::int64_t offsets, std::int64_t corners, std::int64_t vertices) {
  TextScanner& scanner = vtk.text_scanner();
  Cells cells;
  scanner.word("OFFSETS");
  cells.offsets = vtk.integers(offsets, vtk.type(), corners, "cell offsets");
  if (!std::is_sorted(cells.offsets.begin(), cells.offsets.end()) || cells.offsets.empty() ||
      cells.offsets.front() != 0 || cells.offsets.back() != corners) {
    scanner.fail(text("the cell offsets do not increase from 0 to ", corners));
  }
  if (scanner.word("CONNECTIVITY") != "CONNECTIVITY") scanner.fail("CONNECTIVITY must follow the OFFSETS");
  cells.connectivity = vtk.vertices(corners, vtk.type(), vertices, "cell corners");
  return cells;
}

// Up to version 4: POLYGONS (cells) (numbers), then for each cell its number of corners and the corners.
Cells read_counted_cells(VtkFile& vtk, std::int64_t count, std::int64_t numbers, std::int64_t vertices) {
  TextScanner& scanner = vtk.text_scanner();
  const std::vector<Index> flat =
      vtk.integers(numbers, NumberType::int32, std::numeric_limits<Index>::max(), "cells");
  Cells cells;
  cells.offsets.push_back(0);
  std::size_t place = 0;
  for (std::int64_t c = 0; c < count; ++c) {
    if (place == flat.size() || static_cast<std::size_t>(flat[place]) > flat.size() - place - 1) {
      scanner.fail(text("cell ", c, " of ", count, " exceeds the ", numbers, " numbers declared"));
    }
    const std::size_t end = place + 1 + static_cast<std::size_t>(flat[place]);
    for (++place; place < end; ++place) {
      if (flat[place] >= vertices) {
        scanner.fail(
            text("cell ", c, " refers to vertex ", flat[place], ", out of range [0, ", vertices, ")"));
      }
      cells.connectivity.push_back(flat[place]);
    }
    cells.offsets.push_back(static_cast<Index>(cells.connectivity.size()));
  }
  if (place != flat.size())
    scanner.fail(text(count, " cells use ", place, " of the ", numbers, " numbers declared"));
  return cells;
}

Cells read_cells(VtkFile& vtk, std::int64_t vertices) {
  TextScanner& scanner = vtk.text_scanner();
  const std::int64_t count = scanner.count("the number of cells");
  const std::int64_t numbers = scanner.count("the number of corners");
  const TextScanner before = scanner;
  scanner.next_line();
  const bool offsets = scanner.rest_of_line().starts_with("OFFSETS");
  if (!offsets) scanner = before;
  return offsets ? read_offset_cells(vtk, count, numbers, vertices)
                 : read_counted_cells(vtk, count, numbers, vertices);
}

void add_polygons(const Cells& cells, VtkFile& vtk, FaceList& faces) {
  for (std::size_t c = 0; c + 1 < cells.offsets.size(); ++c) {
    const Index begin = cells.offsets[c];
    const Index end = cells.offsets[c + 1];
    if (end - begin < 3)
      vtk.text_scanner().fail(text("polygon ", c, " has ", end - begin, " corners, fewer than 3"));
    for (Index i = begin; i < end; ++i) faces.add_corner(cells.connectivity[static_cast<std::size_t>(i)]);
    faces.end_face();
  }
}

void add_strips(const Cells& cells, VtkFile& vtk, FaceList& faces) {
  for (std::size_t c = 0; c + 1 < cells.offsets.size(); ++c) {
    const std::size_t begin = static_cast<std::size_t>(cells.offsets[c]);
    const std::size_t end = static_cast<std::size_t>(cells.offsets[c + 1]);
    if (end - begin < 3)
      vtk.text_scanner().fail(text("strip ", c, " has ", end - begin, " vertices, fewer than 3"));
    for (std::size_t i = begin; i + 2 < end; ++i) {
      // Every other triangle of a strip is turned around.
      const bool turned = (i - begin) % 2 == 1;
      faces.add_triangle(cells.connectivity[i + (turned ? 1 : 0)], cells.connectivity[i + (turned ? 0 : 1)],
                         cells.connectivity[i + 2]);
    }
  }
}

// What belongs to METADATA: the following lines, up to an empty one.
void skip_metadata(TextScanner& scanner) {
  scanner.next_line();
  while (!scanner.rest_of_line().empty()) scanner.next_line();
}

// FIELD name count, then for each array: name components tuples type, and its numbers.
void skip_field(VtkFile& vtk) {
  TextScanner& scanner = vtk.text_scanner();
  scanner.word("the field's name");
  const std::int64_t arrays = scanner.count("the number of arrays");
  for (std::int64_t a = 0; a < arrays; ++a) {
    if (scanner.word("an array's name") == "METADATA") {
      skip_metadata(scanner);
      scanner.word("an array's name");
    }
    const std::int64_t components = scanner.count("the number of components");
    const std::int64_t tuples = scanner.count("the number of tuples");
    vtk.numbers(components * tuples, vtk.type(), "field data");
  }
}

}  // namespace

Match recognise_vtk(const InputFile& file) {
  return file.content.starts_with("# vtk DataFile") ? Match::certain : Match::no;
}

Shape read_vtk(const InputFile& file) {
  VtkFile vtk(file);
  TextScanner& scanner = vtk.text_scanner();
  if (scanner.word("DATASET") != "DATASET") scanner.fail("the fourth line must name the DATASET");
  if (const std::string_view kind = scanner.word("the kind of dataset"); kind != "POLYDATA") {
    scanner.fail(
        text("a dataset of kind ", kind.substr(0, 40), " is not supported; save the surface as POLYDATA"));
  }
  std::vector<double> coordinates;
  FaceList faces;
  while (!scanner.at_end()) {
    const std::string_view keyword = scanner.word("a keyword");
    const std::int64_t vertices = static_cast<std::int64_t>(coordinates.size() / 3);
    if (keyword == "POINTS") {
      const std::int64_t count = scanner.count("the number of points");
      coordinates = vtk.numbers(3 * count, vtk.type(), "point coordinates");
    } else if (keyword == "POLYGONS") {
      add_polygons(read_cells(vtk, vertices), vtk, faces);
    } else if (keyword == "TRIANGLE_STRIPS") {
      add_strips(read_cells(vtk, vertices), vtk, faces);
    } else if (keyword == "VERTICES" || keyword == "LINES") {
      read_cells(vtk, vertices);
    } else if (keyword == "METADATA") {
      skip_metadata(scanner);
    } else if (keyword == "FIELD") {
      skip_field(vtk);
    } else if (keyword == "POINT_DATA" || keyword == "CELL_DATA") {
      break;
    } else {
      scanner.fail(text("'", keyword.substr(0, 40), "' is not a part of polydata"));
    }
  }
  return faces.finish(file, to_points(coordinates, file));
}

}  // namespace geodome::internal
