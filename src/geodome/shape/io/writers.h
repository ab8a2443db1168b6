#pragma once
/// The mesh formats that can be written, one source file each. Reading a file back gives the same
/// coordinates, bit by bit.

#include <span>
#include <string>
#include <string_view>

#include "geodome/base/atomic_file.h"
#include "geodome/shape/io/write.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Points with faces, normals and colours, whichever there are: what the mesh formats hold.
struct WritableShape {
  const Points* points = nullptr;
  const Points* normals = nullptr;        ///< null, or one for each point
  const Colours* colours = nullptr;       ///< null, or one for each point
  std::span<const Index> corners = {};    ///< of all faces, one face after the other
  const std::int64_t* offsets = nullptr;  ///< #F + 1; null if all faces are triangles
  std::int64_t faces = 0;

  std::span<const Index> face(std::int64_t f) const {
    const std::int64_t begin = offsets ? offsets[f] : 3 * f;
    const std::int64_t end = offsets ? offsets[f + 1] : 3 * f + 3;
    return corners.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
};

void write_obj(const WritableShape& surface, AtomicFile& file);
void write_off(const WritableShape& surface, AtomicFile& file);
void write_ply(const WritableShape& surface, AtomicFile& file);

/// Lines "a b length" with the file's own vertex numbers. Throws InputError for a vertex without edges.
void write_edge_list(const Graph& graph, AtomicFile& file);
/// Each edge is an entry. Throws InputError for a graph with vertex numbers of its own.
void write_matrix_market(const Graph& graph, AtomicFile& file);

/// Appends the shortest text that reads back as the same number, after a space if the text is not empty.
void append_number(std::string& line, double value);
void append_number(std::string& line, std::int64_t value);
/// Appends row `row` of the matrix.
void append_row(std::string& line, const Points& rows, Eigen::Index row);

}  // namespace geodome::internal
