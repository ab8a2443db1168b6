#pragma once
/// Every kind of shape the library works on, as plain values, and `Shape`, which is any one of them.
/// A shape is what its file says: nothing dropped, merged or reordered (see check.h for what is wrong with
/// it).

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "geodome/base/types.h"

namespace geodome {

struct TriangleMesh {
  Points points;        ///< #V by 3
  Triangles triangles;  ///< #F by 3
};

/// Faces of any degree of three and more; face f has the corners corners[offsets[f] .. offsets[f + 1]).
struct PolygonMesh {
  Points points;                         ///< #V by 3
  std::vector<Index> corners;            ///< vertex indices of all faces, one face after the other
  std::vector<std::int64_t> offsets{0};  ///< #F + 1
};

struct PointCloud {
  Points points;   ///< #V by 3
  Points normals;  ///< #V by 3, or empty
};

struct Edge {
  Index a = 0;
  Index b = 0;
  double length = 1;
};

/// Undirected. Edges as the file lists them: an edge may occur twice or be a self-loop.
struct Graph {
  Index vertices = 0;
  std::vector<Edge> edges;
  /// The file's own vertex numbers, increasing, where they are not 0, 1, 2, …; otherwise empty.
  std::vector<std::int64_t> labels;
};

/// Points in any dimension with no connectivity: #V by d.
struct Samples {
  RowMatrix<double> values;
};

using Shape = std::variant<TriangleMesh, PolygonMesh, PointCloud, Graph, Samples>;

/// Number of vertices, isolated ones included.
Index vertex_count(const Shape& shape);

/// Number of faces (triangles or polygons), or of edges for a graph; zero for points and samples.
std::int64_t face_count(const Shape& shape);

/// Coordinates in which no path is shorter than its chord: #V by d; empty for graphs.
RowMatrix<double> positions_of(const Shape& shape);

/// "triangle mesh", "polygon mesh", "point cloud", "graph" or "samples".
std::string kind_name(const Shape& shape);

}  // namespace geodome
