#include "geodome/shape/io/write.h"

#include <algorithm>
#include <charconv>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/shape/io/csv.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/writers.h"

namespace geodome {

using namespace internal;

namespace {

constexpr std::string_view mesh_extensions[] = {"obj", "off", "ply"};
constexpr std::string_view graph_extensions[] = {"edges", "mtx"};
constexpr std::string_view samples_extensions[] = {"npy", "csv"};

/// The extensions for this kind of shape.
std::span<const std::string_view> extensions_for(const Shape& shape) {
  if (std::holds_alternative<Graph>(shape)) return graph_extensions;
  if (std::holds_alternative<Samples>(shape)) return samples_extensions;
  return mesh_extensions;
}

std::string listed(std::span<const std::string_view> extensions) {
  std::string list;
  for (std::string_view extension : extensions) list += text(list.empty() ? "." : ", .", extension);
  return list;
}

/// The path's extension. Throws FileError if no format has it, InputError if it is one for other kinds of
/// shape.
std::string checked_extension(const Shape& shape, const std::string& path) {
  // Files are written as they are, so ".ply.gz" is not PLY.
  const std::string extension = path.ends_with(".gz") || path.ends_with(".GZ") ? "gz" : file_extension(path);
  const auto has = [&](std::span<const std::string_view> list) {
    return std::find(list.begin(), list.end(), extension) != list.end();
  };
  if (has(extensions_for(shape))) return extension;
  if (has(mesh_extensions) || has(graph_extensions) || has(samples_extensions))
    throw InputError(text("cannot write '", path, "': a .", extension, " file cannot store a shape of kind '",
                          kind_name(shape), "'; use ", listed(extensions_for(shape))));
  throw FileError(text("cannot write '", path, "': unknown extension '", extension, "'; use ",
                       listed(mesh_extensions), " for meshes and point clouds, ", listed(graph_extensions),
                       " for graphs, ", listed(samples_extensions), " for samples"));
}

WritableShape writable(const TriangleMesh& mesh) {
  return {.points = &mesh.points,
          .corners = {mesh.triangles.data(), static_cast<std::size_t>(mesh.triangles.size())},
          .faces = mesh.triangles.rows()};
}

WritableShape writable(const PolygonMesh& mesh) {
  return {.points = &mesh.points,
          .corners = mesh.corners,
          .offsets = mesh.offsets.data(),
          .faces = static_cast<std::int64_t>(mesh.offsets.size()) - 1};
}

WritableShape writable(const PointCloud& cloud) {
  return {.points = &cloud.points, .normals = cloud.normals.rows() > 0 ? &cloud.normals : nullptr};
}

void write_file(WritableShape surface, const std::string& extension, const std::string& path,
                const Colours& colours) {
  if (colours.rows() > 0) {
    if (colours.rows() != surface.points->rows())
      throw InputError(
          text("there are ", colours.rows(), " colours for ", surface.points->rows(), " vertices"));
    surface.colours = &colours;
  }
  AtomicFile file(path);
  if (extension == "obj") {
    write_obj(surface, file);
  } else if (extension == "off") {
    write_off(surface, file);
  } else {
    write_ply(surface, file);
  }
  file.commit();
}

void write_graph(const Graph& graph, const std::string& extension, const std::string& path) {
  AtomicFile file(path);
  extension == "mtx" ? write_matrix_market(graph, file) : write_edge_list(graph, file);
  file.commit();
}

template <typename Value>
void append(std::string& line, Value value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  if (!line.empty() && line.back() != '\n') line += ' ';
  line.append(digits, result.ptr);
}

}  // namespace

void internal::append_number(std::string& line, double value) {
  append(line, value);
}

void internal::append_number(std::string& line, std::int64_t value) {
  append(line, value);
}

void internal::append_row(std::string& line, const Points& rows, Eigen::Index row) {
  for (int axis = 0; axis < 3; ++axis) append_number(line, rows(row, axis));
}

void require_shape_extension(const Shape& shape, const std::string& path) {
  checked_extension(shape, path);
}

void write_shape(const Shape& shape, const std::string& path, const Colours& colours) {
  const std::string extension = checked_extension(shape, path);
  if (colours.rows() > 0 && (std::holds_alternative<Graph>(shape) || std::holds_alternative<Samples>(shape)))
    throw InputError(text("cannot write '", path, "': a .", extension, " file cannot store colours"));
  if (const auto* graph = std::get_if<Graph>(&shape)) {
    write_graph(*graph, extension, path);
  } else if (const auto* samples = std::get_if<Samples>(&shape)) {
    extension == "npy" ? write_npy(samples->values, path) : write_csv(samples->values, path);
  } else if (const auto* mesh = std::get_if<TriangleMesh>(&shape)) {
    write_file(writable(*mesh), extension, path, colours);
  } else if (const auto* polygons = std::get_if<PolygonMesh>(&shape)) {
    write_file(writable(*polygons), extension, path, colours);
  } else {
    write_file(writable(std::get<PointCloud>(shape)), extension, path, colours);
  }
}

}  // namespace geodome
