#pragma once
/// Grids that built-in shapes are made of.

#include <array>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Throws InputError unless value >= least.
void require_at_least(const char* shape, const char* argument, Index value, Index least);

/// Throws InputError where the faces of a shape with this many vertices do not fit into 32-bit indices.
void require_indexable(const char* shape, double vertices);

/// Appends the two triangles of a quad a b c d (counter-clockwise) at `row`, cut along a-c or along b-d.
void append_quad(Triangles& triangles, Eigen::Index& row, std::array<Index, 4> quad, bool cut_first);

/// Triangles of a columns × rows grid of vertices with alternating diagonals, glued to itself where
/// requested.
Triangles grid_triangles(Index columns, Index rows, bool glue_columns, bool glue_rows);

/// The surface of a lattice cube: its points in [-½, ½]³, and its faces as outward quads.
struct LatticeCube {
  Points points;
  std::vector<std::array<Index, 4>> quads;
};

LatticeCube make_lattice_cube(Index segments);

}  // namespace geodome::internal
