#pragma once
/// Built-in shapes with known answers, at any resolution. Closed ones are centred at the origin.

#include <cstdint>

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

/// The unit sphere of make_sphere with every vertex moved along it at random, by up to a third of its
/// shortest edge: the same answers from irregular triangles.
TriangleMesh make_jittered_sphere(Index frequency, std::uint64_t seed = 0);

/// Two unit spheres side by side, centres 3 apart: two components of the same size.
TriangleMesh make_two_spheres(Index frequency);

/// A strip of width 1 around a circle of radius 1 with a half twist, `around` by `across` vertices:
/// one-sided, one boundary loop.
TriangleMesh make_moebius(Index around, Index across);

/// Three unit squares that share the edge from the origin to (0, 0, 1), 120 degrees apart, each of `across`
/// by `along` vertices: not a manifold. Two points at r and s from that edge and h apart along it are √((r -
/// s)² + h²) apart on one square, √((r + s)² + h²) on two.
TriangleMesh make_fan(Index across, Index along);

/// A plate of `across` by `along` unit squares and thickness 0.2, with a round hole through every square, as
/// CAD programs triangulate it: a hole has `around` vertices, and from each corner of a square a fan of
/// slivers leads to a quarter of the hole. Closed; as many handles as holes.
TriangleMesh make_drilled_plate(Index across, Index along, Index around);

/// make_plane and the unit sphere (a cube's lattice, pushed out) in quads.
PolygonMesh make_plane_quads(Index columns, Index rows);
PolygonMesh make_sphere_quads(Index segments);

/// A rectangle rolled up: exactly isometric to the flat one, so every distance is known.
struct SwissRoll {
  Points points;  ///< #V by 3
  Eigen::Matrix<double, Eigen::Dynamic, 2, Eigen::RowMajor>
      flat;  ///< #V by 2: where each point lies unrolled
};

/// The roll (t cos t, t sin t, height) for t from 3π/2 to 9π/2 and heights up to 21, as a grid of `along` by
/// `up` vertices. Distances on the mesh are exactly those between the rows of `flat`, which measures along
/// its chords.
TriangleMesh make_swiss_roll(Index along, Index up);
SwissRoll make_swiss_roll_grid(Index along, Index up);

/// Points spread evenly at random over the smooth roll.
SwissRoll sample_swiss_roll(Index points, std::uint64_t seed = 0);

/// A columns by rows grid with edges of length 1 along both: distance is |Δcolumn| + |Δrow|.
Graph make_grid_graph(Index columns, Index rows);

/// A chain with edges of length 1: distance is |i - j|.
Graph make_path_graph(Index vertices);

}  // namespace geodome
