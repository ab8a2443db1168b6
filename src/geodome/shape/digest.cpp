#include "geodome/shape/digest.h"

#include <array>
#include <cstdio>
#include <span>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

struct Checksums {
  std::uint32_t places = 0;
  std::uint32_t connections = 0;
};

template <typename T>
std::uint32_t checksum(const T* first, std::size_t count, std::uint32_t before = 0) {
  return crc32c(std::as_bytes(std::span(first, count)), before);
}

template <typename Matrix>
std::uint32_t checksum(const Matrix& matrix) {
  return checksum(matrix.data(), static_cast<std::size_t>(matrix.size()));
}

struct Summer {
  Checksums operator()(const TriangleMesh& mesh) const {
    return {checksum(mesh.points), checksum(mesh.triangles)};
  }
  Checksums operator()(const PolygonMesh& mesh) const {
    const std::uint32_t corners = checksum(mesh.corners.data(), mesh.corners.size());
    return {checksum(mesh.points), checksum(mesh.offsets.data(), mesh.offsets.size(), corners)};
  }
  Checksums operator()(const PointCloud& cloud) const {
    return {checksum(cloud.points), checksum(cloud.normals)};
  }
  Checksums operator()(const Graph& graph) const {
    Checksums sums;
    for (const Edge& edge : graph.edges) {  // one by one: an edge may have padding
      const std::array ends{edge.a, edge.b};
      sums.connections = checksum(ends.data(), ends.size(), sums.connections);
      sums.places = checksum(&edge.length, 1, sums.places);
    }
    return sums;
  }
  Checksums operator()(const Samples& samples) const { return {checksum(samples.values), 0}; }
};

std::string hexadecimal(std::uint32_t number) {
  std::array<char, 9> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", number);
  return digits.data();
}

}  // namespace

std::string shape_digest(const Shape& shape) {
  const Checksums sums = std::visit(Summer(), shape);
  return text(vertex_count(shape), '-', face_count(shape), '-', hexadecimal(sums.places), '-',
              hexadecimal(sums.connections));
}

std::string mask_digest(const std::vector<char>& keep) {
  if (keep.empty()) return "none";
  // Only whether a value is zero counts.
  std::vector<char> flags;
  std::size_t kept = 0;
  for (const char value : keep) {
    flags.push_back(value != 0 ? '\1' : '\0');
    if (value != 0) ++kept;
  }
  return text(keep.size(), '-', kept, '-', hexadecimal(checksum(flags.data(), flags.size())));
}

}  // namespace geodome::internal
