#include "geodome/shape/io/writers.h"

namespace geodome::internal {

void write_off(const WritableShape& surface, AtomicFile& file) {
  std::string line = surface.colours ? "C" : "";
  line += surface.normals ? "NOFF\n" : "OFF\n";
  append_number(line, std::int64_t{surface.points->rows()});
  append_number(line, surface.faces);
  append_number(line, std::int64_t{0});
  line += '\n';
  file.write(line);
  for (Eigen::Index vertex = 0; vertex < surface.points->rows(); ++vertex) {
    line.clear();
    append_row(line, *surface.points, vertex);
    if (surface.normals) append_row(line, *surface.normals, vertex);
    if (surface.colours) {
      for (int channel = 0; channel < 3; ++channel)
        append_number(line, std::int64_t{(*surface.colours)(vertex, channel)});
      append_number(line, std::int64_t{255});
    }
    line += '\n';
    file.write(line);
  }
  for (std::int64_t face = 0; face < surface.faces; ++face) {
    const std::span<const Index> corners = surface.face(face);
    line.clear();
    append_number(line, static_cast<std::int64_t>(corners.size()));
    for (Index corner : corners) append_number(line, std::int64_t{corner});
    line += '\n';
    file.write(line);
  }
}

}  // namespace geodome::internal
