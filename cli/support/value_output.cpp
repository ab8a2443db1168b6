#include "support/value_output.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/report/colour_map.h"
#include "geodome/report/picture.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/npy.h"
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

}  // namespace geodome::cli
