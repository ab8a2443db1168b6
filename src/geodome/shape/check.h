#pragma once
/// Describes a shape: how large it is, how it hangs together, and everything that is wrong with it.
/// Nothing is changed or refused here: clean.h does that, and docs/reference/shapes.md lists what happens to
/// each defect.

#include <cstdint>
#include <map>
#include <span>

#include "geodome/shape/shape.h"

namespace geodome {

/// Counts for one shape as its file gives it, before anything is dropped. What a kind of shape does not have
/// stays zero: a graph has no faces, a cloud no edges.
///
/// Edges of a mesh are the sides of its faces, never diagonals. A collapsed face is no face at all: it is
/// counted as collapsed and takes no part in any other count. Faces with an index out of range neither.
struct ShapeReport {
  Index vertices = 0;
  std::int64_t faces = 0;
  std::map<std::int64_t, std::int64_t> faces_by_degree;
  std::int64_t edges = 0;       ///< distinct undirected edges; for a graph self-loops count as edges
  Index components = 0;         ///< counted over referenced vertices
  Index largest_component = 0;  ///< its vertices
  Index dimension = 0;          ///< coordinates per vertex; 0 for a graph

  std::int64_t boundary_edges = 0;     ///< edges of one face
  std::int64_t nonmanifold_edges = 0;  ///< edges of three and more faces
  /// Vertices whose faces form more than one fan when walked through shared edges (of any number of faces).
  Index nonmanifold_vertices = 0;
  std::int64_t inconsistent_edges = 0;  ///< edges of two faces that both walk it in the same direction
  std::int64_t duplicate_faces = 0;     ///< copies beyond the first, turned over or not
  std::int64_t collapsed_faces = 0;     ///< fewer than three different corners
  /// Triangles whose area is at most `zero_area_tolerance` of their squared longest edge. A polygon counts if
  /// that holds for a triangle of the fan from its first corner: it has three corners on a line.
  std::int64_t zero_area_faces = 0;
  /// The same with `narrow_tolerance`, those of zero area left out: triangles lower than a millionth of their
  /// longest edge, around which rounding may spoil exact distances.
  std::int64_t narrow_faces = 0;
  std::int64_t zero_length_edges = 0;  ///< ends at the same position, or a graph edge of length zero
  std::int64_t out_of_range = 0;       ///< faces or graph edges that name a vertex that is not there
  std::int64_t first_out_of_range = -1;

  Index unreferenced_vertices = 0;  ///< in no face (mesh), in no edge (graph)
  Index duplicate_positions = 0;    ///< vertices less distinct positions, over finite ones
  Index nonfinite_vertices = 0;     ///< a coordinate is not a number or infinite
  Index first_nonfinite = -1;
  Index nonfinite_normals = 0;

  std::int64_t self_loops = 0;      ///< graph edges from a vertex to itself
  std::int64_t repeated_edges = 0;  ///< graph edges beyond the first between the same two vertices
  std::int64_t bad_lengths = 0;     ///< graph edges whose length is negative or not finite
  std::int64_t first_bad_length = -1;

  Vector low, high;          ///< bounding box of the finite vertices, `dimension` values each; empty if none
  double shortest_edge = 0;  ///< over edges with finite ends
  double longest_edge = 0;
  double area = 0;  ///< of a polygon: length of its vector area, which is its area if it is flat

  bool closed() const { return faces > collapsed_faces && boundary_edges == 0; }
  bool manifold() const { return nonmanifold_edges == 0 && nonmanifold_vertices == 0; }
  bool oriented() const { return inconsistent_edges == 0; }
  std::int64_t euler_characteristic() const;  ///< referenced vertices - edges + faces, of a mesh
};

/// Cost: O(size log size) time, about 60 bytes per face corner; a million vertices take about a second.
/// Throws nothing: any shape can be described.
ShapeReport check_shape(const Shape& shape);

/// A triangle whose area is at most this part of its squared longest edge counts as having no area.
inline constexpr double zero_area_tolerance = 1e-12;
/// And one whose area is at most this part of it as narrow.
inline constexpr double narrow_tolerance = 5e-7;

namespace internal {

/// Only what decides whether a shape can be worked on, and what cleaning drops or mentions (clean.h); all
/// else in the report of a mesh, a cloud or samples stays zero. Cost: a fifth of check_shape, 20 bytes per
/// face.
ShapeReport check_defects(const Shape& shape);

/// Vector area of a face: its length is the area of a flat polygon, its direction the normal (right-hand
/// rule). Corners must be in range.
Eigen::RowVector3d vector_area(const Points& points, std::span<const Index> face);

/// True if a triangle of the fan from the face's first corner has an area of at most `tolerance` of its
/// squared longest edge. Corners must be in range.
bool has_no_area(const Points& points, std::span<const Index> face, double tolerance = zero_area_tolerance);

}  // namespace internal

}  // namespace geodome
