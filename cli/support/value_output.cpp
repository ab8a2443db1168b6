#include "support/value_output.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/read_number.h"
#include "geodome/report/colour_map.h"
#include "geodome/report/picture.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/gifti.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/triangulate.h"
#include "support/page_arrays.h"

namespace geodome::cli {

using namespace internal;

namespace {

bool is_mesh(const Shape* shape) {
  return shape &&
         (std::holds_alternative<TriangleMesh>(*shape) || std::holds_alternative<PolygonMesh>(*shape));
}

/// A GIFTI file of one array per column [Geometry Format for Neuroimaging, 2007].
template <typename Number>
std::string gifti_text(const std::vector<std::vector<Number>>& columns, const std::string& intent,
                       const std::string& type, const std::string& table) {
  std::string file =
      text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<GIFTI Version=\"1.0\" NumberOfDataArrays=\"",
           columns.size(), "\">\n", table);
  for (const std::vector<Number>& column : columns)
    file += text("<DataArray Intent=\"", intent, "\" DataType=\"", type,
                 "\" ArrayIndexingOrder=\"RowMajorOrder\" Dimensionality=\"1\" Dim0=\"", column.size(),
                 "\" Encoding=\"Base64Binary\" Endian=\"LittleEndian\" ExternalFileName=\"\" "
                 "ExternalFileOffset=\"\">\n<Data>",
                 base64(std::as_bytes(std::span(column))), "</Data>\n</DataArray>\n");
  return file + "</GIFTI>\n";
}

void write_text(const std::string& path, const std::string& content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void write_coloured(const std::string& path, const Shape& shape, const Colours& colours) {
  if (file_extension(path) == "ply") return write_shape(shape, path, colours);
  const auto* polygons = std::get_if<PolygonMesh>(&shape);
  View view;
  view.width = 960;
  view.height = 720;
  write_png(render(polygons ? triangulate(*polygons) : std::get<TriangleMesh>(shape), colours, view), path);
}

/// From the smallest value (dark) to the largest; grey where there is none.
Colours value_colours(const Eigen::Ref<const RowMatrix<double>>& values) {
  double smallest = infinity, largest = -infinity;
  for (const double value : values.col(0))
    if (std::isfinite(value)) {
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
  Colours colours = Colours::Constant(values.rows(), 3, 128);
  for (Eigen::Index v = 0; v < values.rows(); ++v) {
    if (!std::isfinite(values(v, 0))) continue;
    const auto colour =
        uniform_colour(largest > smallest ? (values(v, 0) - smallest) / (largest - smallest) : 0);
    for (int k = 0; k < 3; ++k) colours(v, k) = colour[static_cast<std::size_t>(k)];
  }
  return colours;
}

/// Colours far apart for numbers that follow each other: hues in steps of the golden ratio, two lightnesses.
std::array<std::uint8_t, 3> label_colour(Index label) {
  if (label < 0) return {128, 128, 128};
  const double hue = std::fmod(label / std::numbers::phi, 1.0), light = label % 2 ? 0.95 : 0.72;
  std::array<std::uint8_t, 3> colour{};
  for (int k = 0; k < 3; ++k) {
    const double wave = std::abs(std::fmod(6 * hue + 2.0 * k, 6.0) - 3) - 1;
    colour[static_cast<std::size_t>(k)] =
        static_cast<std::uint8_t>(255 * light * (0.35 + 0.65 * std::clamp(wave, 0.0, 1.0)));
  }
  return colour;
}

std::string label_table(Index labels) {
  std::string table =
      "<LabelTable>\n<Label Key=\"0\" Red=\"0.5\" Green=\"0.5\" Blue=\"0.5\" Alpha=\"0\">none</Label>\n";
  for (Index label = 0; label < labels; ++label) {
    const auto colour = label_colour(label);
    table +=
        text("<Label Key=\"", label + 1, "\" Red=\"", colour[0] / 255.0, "\" Green=\"", colour[1] / 255.0,
             "\" Blue=\"", colour[2] / 255.0, "\" Alpha=\"1\">region ", label, "</Label>\n");
  }
  return table + "</LabelTable>\n";
}

/// Fields between commas, semicolons or tabs, or between spaces where there are none of these.
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
    if (!spaces || !field.empty()) fields.push_back(field);
    if (end == line.size()) return fields;
    line.remove_prefix(end + 1);
  }
}

bool parse_value(std::string_view field, double& value) {
  value = std::numeric_limits<double>::quiet_NaN();
  if (field.empty() || field == "nan" || field == "NaN" || field == "na" || field == "NA") return true;
  if (field.starts_with('+')) field.remove_prefix(1);
  const auto [end, error] = read_number(field.data(), field.data() + field.size(), value);
  return error == std::errc() && end == field.data() + field.size();
}

/// Collects lines of values, one for every vertex or for those that the lines name.
class ValueTable {
 public:
  ValueTable(const std::string& path, const Numbering& numbering, Index vertices)
      : path_(path), numbering_(numbering), vertices_(vertices) {}

  void add(std::string_view line, std::vector<std::string>& names) {
    ++line_;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos || line.starts_with('#')) return;
    const std::vector<std::string_view> fields = fields_of(line);
    double value = 0;
    if (rows_ == 0 && names.empty() && !std::all_of(fields.begin(), fields.end(), [&](std::string_view one) {
          return parse_value(one, value);
        })) {
      names.assign(fields.begin(), fields.end());
      named_ = names[0] == "vertex";
      if (named_) names.erase(names.begin());
      return;
    }
    const std::size_t columns = fields.size() - (named_ ? 1 : 0);
    if (rows_ == 0) start(columns);
    if (columns != static_cast<std::size_t>(values_.cols()))
      fail(text("expected ", values_.cols(), " values, got ", columns));
    const Index vertex = named_ ? named_vertex(fields[0]) : rows_;
    if (vertex >= vertices_) fail(text("more lines than the ", vertices_, " vertices of the shape"));
    for (std::size_t c = 0; c < columns; ++c)
      if (!parse_value(fields[c + (named_ ? 1 : 0)], values_(vertex, static_cast<Eigen::Index>(c))))
        fail(text("'", fields[c + (named_ ? 1 : 0)], "' is not a number"));
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
      fail(text("'", field, "' is not a vertex number"));
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

void require_value_extension(const std::string& path, const Shape* shape) {
  const std::string extension = path.ends_with(".gz") ? "gz" : file_extension(path);
  if (extension == "npy" || extension == "csv" || extension == "gii") return;
  if (extension != "ply" && extension != "png")
    throw InputError(
        text("cannot write '", path, "': the extension must be one of .npy, .csv, .gii, .ply, .png"));
  if (is_mesh(shape) || (extension == "ply" && shape && std::holds_alternative<PointCloud>(*shape))) return;
  throw InputError(text("cannot write '", path, "': .", extension, " output requires a mesh",
                        extension == "ply" ? " or a point cloud" : "", ": write .npy, .csv or .gii"));
}

void write_values(const std::string& path, const Eigen::Ref<const RowMatrix<double>>& values,
                  const std::vector<std::string>& names, const Shape* shape, const Numbering& numbering) {
  const std::string extension = file_extension(path);
  if (extension == "npy") return write_npy(values, path);
  if (extension == "csv") {
    std::string lines = "vertex";
    for (const std::string& name : names) lines += ',' + name;
    for (Eigen::Index v = 0; v < values.rows(); ++v) {
      lines += '\n' + std::to_string(numbering.number(static_cast<Index>(v)));
      for (const double value : values.row(v)) lines += ',' + exact_digits(value);
    }
    return write_text(path, lines + '\n');
  }
  if (extension == "gii") {
    std::vector<std::vector<float>> columns;
    for (Eigen::Index c = 0; c < values.cols(); ++c) {
      columns.emplace_back();
      for (const double value : values.col(c)) columns.back().push_back(static_cast<float>(value));
    }
    return write_text(path, gifti_text(columns, "NIFTI_INTENT_SHAPE", "NIFTI_TYPE_FLOAT32", ""));
  }
  write_coloured(path, *shape, value_colours(values));
}

void write_labels(const std::string& path, std::span<const Index> labels, const Shape* shape,
                  const Numbering& numbering) {
  const std::string extension = file_extension(path);
  const auto count = static_cast<Eigen::Index>(labels.size());
  if (extension == "npy") {
    RowMatrix<std::int32_t> column(count, 1);
    std::copy(labels.begin(), labels.end(), column.data());
    return write_npy(column, path);
  }
  if (extension == "csv") {
    std::string lines = "vertex,label\n";
    for (Index v = 0; v < count; ++v) lines += text(numbering.number(v), ',', labels[v], '\n');
    return write_text(path, lines);
  }
  const Index most = labels.empty() ? -1 : *std::max_element(labels.begin(), labels.end());
  if (extension == "gii") {
    std::vector<std::int32_t> keys;
    for (const Index label : labels) keys.push_back(label + 1);
    return write_text(path, gifti_text<std::int32_t>({keys}, "NIFTI_INTENT_LABEL", "NIFTI_TYPE_INT32",
                                                     label_table(most + 1)));
  }
  Colours colours(count, 3);
  for (Index v = 0; v < count; ++v)
    for (int k = 0; k < 3; ++k) colours(v, k) = label_colour(labels[v])[static_cast<std::size_t>(k)];
  write_coloured(path, *shape, colours);
}

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
