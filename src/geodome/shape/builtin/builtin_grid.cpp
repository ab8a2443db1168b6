#include "geodome/shape/builtin/builtin_grid.h"

#include <unordered_map>

#include "geodome/base/error.h"

namespace geodome::internal {

void require_at_least(const char* shape, const char* argument, Index value, Index least) {
  if (value < least) {
    throw InputError(text(shape, ": the number of ", argument, " must be at least ", least, ", got ", value));
  }
}

void require_indexable(const char* shape, double vertices) {
  if (vertices > std::numeric_limits<Index>::max() / 2) {
    throw InputError(
        text("a ", shape, " of ", vertices, " vertices exceeds 32-bit indices: use fewer vertices"));
  }
}

void append_quad(Triangles& triangles, Eigen::Index& row, std::array<Index, 4> quad, bool cut_first) {
  const auto [a, b, c, d] = quad;
  if (cut_first) {
    triangles.row(row++) << a, b, c;
    triangles.row(row++) << a, c, d;
  } else {
    triangles.row(row++) << a, b, d;
    triangles.row(row++) << b, c, d;
  }
}

Triangles grid_triangles(Index columns, Index rows, bool glue_columns, bool glue_rows) {
  const Index across = glue_columns ? columns : columns - 1;
  const Index up = glue_rows ? rows : rows - 1;
  Triangles triangles(2 * Eigen::Index{across} * up, 3);
  Eigen::Index row = 0;
  for (Index r = 0; r < up; ++r) {
    for (Index c = 0; c < across; ++c) {
      const Index c1 = (c + 1) % columns, r1 = (r + 1) % rows;
      append_quad(triangles, row, {r * columns + c, r * columns + c1, r1 * columns + c1, r1 * columns + c},
                  (c + r) % 2 == 0);
    }
  }
  return triangles;
}

LatticeCube make_lattice_cube(Index segments) {
  require_at_least("box", "segments", segments, 1);
  require_indexable("box", 6.0 * segments * segments + 2);
  LatticeCube cube;
  cube.points.resize(6 * Eigen::Index{segments} * segments + 2, 3);
  std::unordered_map<std::int64_t, Index> known;
  Index next = 0;
  const auto vertex = [&](const std::array<Index, 3>& at) {
    const std::int64_t side = segments + 1;
    const auto [place, is_new] = known.try_emplace((at[2] * side + at[1]) * side + at[0], next);
    if (is_new) {
      for (int axis = 0; axis < 3; ++axis)
        cube.points(next, axis) = static_cast<double>(at[axis]) / segments - 0.5;
      ++next;
    }
    return place->second;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (Index side : {Index{0}, segments}) {
      // The cyclic order (axis, u, v) is right-handed: reversing it on the low side turns that face outwards.
      const int u = (axis + (side == 0 ? 2 : 1)) % 3, v = (axis + (side == 0 ? 1 : 2)) % 3;
      for (Index j = 0; j < segments; ++j) {
        for (Index i = 0; i < segments; ++i) {
          std::array<Index, 4> quad{};
          for (int corner = 0; corner < 4; ++corner) {
            std::array<Index, 3> at{};
            at[axis] = side;
            at[u] = i + (corner == 1 || corner == 2);
            at[v] = j + (corner >= 2);
            quad[corner] = vertex(at);
          }
          cube.quads.push_back(quad);
        }
      }
    }
  }
  return cube;
}

}  // namespace geodome::internal
