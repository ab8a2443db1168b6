#pragma once
/// Built-in shapes with known answers, at any resolution. Closed ones are centred at the origin.

#include <string>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome {

/// Unit square [0,1]² at z = 0 with `columns` by `rows` vertices, vertex (c, r) at index r * columns + c; the
/// diagonals alternate. Distances are Euclidean.
TriangleMesh make_plane(Index columns, Index rows);

/// Unit sphere: an icosahedron whose edges are split into `frequency` parts. 10 f² + 2 vertices.
TriangleMesh make_sphere(Index frequency);

/// Torus around the z axis, `major` by `minor` vertices.
TriangleMesh make_torus(Index major, Index minor, double major_radius = 1, double minor_radius = 0.4);

/// Open cylinder around the z axis, `around` by `along` vertices, centred.
TriangleMesh make_cylinder(Index around, Index along, double radius = 1, double height = 2);

/// Unit cube [-½, ½]³, each edge split into `segments`; 6 segments² + 2 vertices.
TriangleMesh make_box(Index segments);

}  // namespace geodome
