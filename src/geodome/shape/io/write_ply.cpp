#include <algorithm>
#include <bit>

#include "geodome/base/error.h"
#include "geodome/shape/io/writers.h"

namespace geodome::internal {
namespace {

/// Appends the value's bytes, lowest first on every machine.
template <typename Value>
void append_bytes(std::string& row, Value value) {
  char bytes[sizeof(Value)];
  std::copy_n(reinterpret_cast<const char*>(&value), sizeof(Value), bytes);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes, bytes + sizeof(Value));
  row.append(bytes, sizeof(Value));
}

void append_vector(std::string& row, const Points& vectors, Eigen::Index at) {
  for (int axis = 0; axis < 3; ++axis) append_bytes(row, vectors(at, axis));
}

/// A list's length is one byte unless some face has more corners than that can count.
bool has_large_faces(const WritableShape& surface) {
  for (std::int64_t face = 0; face < surface.faces; ++face)
    if (surface.face(face).size() > 255) return true;
  return false;
}

std::string header_of(const WritableShape& surface, bool large_faces) {
  std::string header = text("ply\nformat binary_little_endian 1.0\nelement vertex ", surface.points->rows(),
                            "\nproperty double x\nproperty double y\nproperty double z\n");
  if (surface.normals) header += "property double nx\nproperty double ny\nproperty double nz\n";
  if (surface.colours) header += "property uchar red\nproperty uchar green\nproperty uchar blue\n";
  if (surface.faces > 0)
    header += text("element face ", surface.faces, "\nproperty list ", large_faces ? "uint" : "uchar",
                   " int vertex_indices\n");
  return header + "end_header\n";
}

}  // namespace

void write_ply(const WritableShape& surface, AtomicFile& file) {
  const bool large_faces = has_large_faces(surface);
  file.write(header_of(surface, large_faces));
  std::string row;
  for (Eigen::Index vertex = 0; vertex < surface.points->rows(); ++vertex) {
    row.clear();
    append_vector(row, *surface.points, vertex);
    if (surface.normals) append_vector(row, *surface.normals, vertex);
    if (surface.colours)
      for (int channel = 0; channel < 3; ++channel) append_bytes(row, (*surface.colours)(vertex, channel));
    file.write(row);
  }
  for (std::int64_t face = 0; face < surface.faces; ++face) {
    const std::span<const Index> corners = surface.face(face);
    row.clear();
    large_faces ? append_bytes(row, static_cast<std::uint32_t>(corners.size()))
                : append_bytes(row, static_cast<std::uint8_t>(corners.size()));
    for (Index corner : corners) append_bytes(row, corner);
    file.write(row);
  }
}

}  // namespace geodome::internal
