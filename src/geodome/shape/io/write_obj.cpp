#include "geodome/shape/io/writers.h"

namespace geodome::internal {

void write_obj(const WritableShape& surface, AtomicFile& file) {
  std::string line;
  for (Eigen::Index vertex = 0; vertex < surface.points->rows(); ++vertex) {
    line.clear();
    line += 'v';
    append_row(line, *surface.points, vertex);
    if (surface.colours)
      for (int channel = 0; channel < 3; ++channel)
        append_number(line, (*surface.colours)(vertex, channel) / 255.0);
    line += '\n';
    if (surface.normals) {
      line += "vn";
      append_row(line, *surface.normals, vertex);
      line += '\n';
    }
    file.write(line);
  }
  for (std::int64_t face = 0; face < surface.faces; ++face) {
    line.clear();
    line += 'f';
    for (Index corner : surface.face(face)) append_number(line, std::int64_t{corner} + 1);
    line += '\n';
    file.write(line);
  }
}

}  // namespace geodome::internal
