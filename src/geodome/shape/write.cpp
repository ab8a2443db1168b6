#include "geodome/shape/write.h"

#include <charconv>
#include <variant>

#include "geodome/base/error.h"
#include "geodome/shape/input_file.h"
#include "geodome/shape/writers.h"

namespace geodome {
namespace {

struct Writer {
  std::string_view extension;
  void (*write)(const Surface&, AtomicFile&);
};

constexpr Writer writers[] = {{"obj", write_obj}, {"off", write_off}, {"ply", write_ply}};

const Writer& find_writer(const std::string& path) {
  // Files are written as they are, so ".ply.gz" is not PLY.
  const std::string extension = path.ends_with(".gz") || path.ends_with(".GZ") ? "gz" : file_extension(path);
  std::string known;
  for (const Writer& writer : writers) {
    if (writer.extension == extension) return writer;
    known += text(known.empty() ? "." : ", .", writer.extension);
  }
  throw FileError(
      text("cannot write '", path, "': no mesh format has the extension '", extension, "'; use ", known));
}

Surface surface_of(const TriangleMesh& mesh) {
  return {.points = &mesh.points,
          .corners = {mesh.triangles.data(), static_cast<std::size_t>(mesh.triangles.size())},
          .faces = mesh.triangles.rows()};
}

Surface surface_of(const PolygonMesh& mesh) {
  return {.points = &mesh.points,
          .corners = mesh.corners,
          .offsets = mesh.offsets.data(),
          .faces = static_cast<std::int64_t>(mesh.offsets.size()) - 1};
}

Surface surface_of(const PointCloud& cloud) {
  return {.points = &cloud.points, .normals = cloud.normals.rows() > 0 ? &cloud.normals : nullptr};
}

template <typename Other>
Surface surface_of(const Other&) {
  return {};
}

template <typename Value>
void append(std::string& line, Value value) {
  char digits[32];
  const auto result = std::to_chars(digits, digits + sizeof digits, value);
  if (!line.empty() && line.back() != '\n') line += ' ';
  line.append(digits, result.ptr);
}

}  // namespace

void append_number(std::string& line, double value) {
  append(line, value);
}

void append_number(std::string& line, std::int64_t value) {
  append(line, value);
}

void append_row(std::string& line, const Points& rows, Eigen::Index row) {
  for (int axis = 0; axis < 3; ++axis) append_number(line, rows(row, axis));
}

void write_shape(const Shape& shape, const std::string& path, const Colours& colours) {
  const Writer& writer = find_writer(path);
  Surface surface = std::visit([](const auto& any) { return surface_of(any); }, shape);
  if (surface.points == nullptr)
    throw InputError(text("a .", writer.extension, " file cannot hold ", kind_name(shape),
                          "; it holds meshes and point clouds"));
  if (colours.rows() > 0) {
    if (colours.rows() != surface.points->rows())
      throw InputError(
          text("there are ", colours.rows(), " colours for ", surface.points->rows(), " vertices"));
    surface.colours = &colours;
  }
  AtomicFile file(path);
  writer.write(surface, file);
  file.commit();
}

}  // namespace geodome
