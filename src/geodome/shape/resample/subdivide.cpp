#include "geodome/shape/resample/subdivide.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/edge_table.h"

namespace geodome::internal {
namespace {

void require_indexable(std::int64_t vertices, std::int64_t faces) {
  const std::int64_t most = std::numeric_limits<Index>::max();
  if (vertices > most || faces > most) {
    throw InputError(text("subdividing would give ", vertices, " vertices and ", faces,
                          " faces, which exceeds 32-bit indices: subdivide fewer times"));
  }
}

bool is_crease(const EdgeTable& table, Index edge) {
  return table.faces_on_edge[edge] != 2;
}

Points edge_midpoints(const Points& points, const EdgeTable& table) {
  Points middle(table.size(), 3);
  for (Index e = 0; e < table.size(); ++e) {
    middle.row(e) = (points.row(table.edges[e][0]) + points.row(table.edges[e][1])) / 2;
  }
  return middle;
}

/// What the smoothing rules need to know around each vertex.
struct VertexRings {
  std::vector<Index> edges;    ///< number of edges at the vertex
  std::vector<Index> creases;  ///< how many of them are creases
  Points neighbour_sum;        ///< #V by 3, over all edges
  Points crease_sum;           ///< #V by 3, over the crease edges
};

VertexRings sum_rings(const Points& points, const EdgeTable& table) {
  VertexRings rings;
  rings.edges.assign(points.rows(), 0);
  rings.creases.assign(points.rows(), 0);
  rings.neighbour_sum = Points::Zero(points.rows(), 3);
  rings.crease_sum = Points::Zero(points.rows(), 3);
  for (Index e = 0; e < table.size(); ++e) {
    for (int end = 0; end < 2; ++end) {
      const Index v = table.edges[e][end], w = table.edges[e][1 - end];
      ++rings.edges[v];
      rings.neighbour_sum.row(v) += points.row(w);
      if (!is_crease(table, e)) continue;
      ++rings.creases[v];
      rings.crease_sum.row(v) += points.row(w);
    }
  }
  return rings;
}

/// A crease's own rule (cubic B-spline) where it passes through a vertex; corners and lone vertices stay.
Eigen::RowVector3d crease_rule(const Points& points, const VertexRings& rings, Eigen::Index v) {
  if (rings.creases[v] != 2) return points.row(v);
  return 0.75 * points.row(v) + 0.125 * rings.crease_sum.row(v);
}

TriangleMesh split_triangles(const TriangleMesh& mesh, const EdgeTable& table) {
  const Eigen::Index n = mesh.points.rows(), faces = mesh.triangles.rows();
  require_indexable(n + table.size(), 4 * faces);
  TriangleMesh fine;
  fine.points.resize(n + table.size(), 3);
  fine.points.topRows(n) = mesh.points;
  fine.points.bottomRows(table.size()) = edge_midpoints(mesh.points, table);
  fine.triangles.resize(4 * faces, 3);
  for (Eigen::Index f = 0; f < faces; ++f) {
    Index middle[3];
    for (int k = 0; k < 3; ++k) middle[k] = static_cast<Index>(n) + table.edge_of_corner[3 * f + k];
    for (int k = 0; k < 3; ++k) {
      fine.triangles.row(4 * f + k) << mesh.triangles(f, k), middle[k], middle[(k + 2) % 3];
    }
    fine.triangles.row(4 * f + 3) << middle[0], middle[1], middle[2];
  }
  return fine;
}

Points face_means(const PolygonMesh& mesh) {
  const auto faces = static_cast<Eigen::Index>(mesh.offsets.size()) - 1;
  Points means = Points::Zero(faces, 3);
  for (Eigen::Index f = 0; f < faces; ++f) {
    for (std::int64_t c = mesh.offsets[f]; c < mesh.offsets[f + 1]; ++c)
      means.row(f) += mesh.points.row(mesh.corners[c]);
    means.row(f) /= static_cast<double>(std::max<std::int64_t>(1, mesh.offsets[f + 1] - mesh.offsets[f]));
  }
  return means;
}

PolygonMesh split_polygons(const PolygonMesh& mesh, const EdgeTable& table) {
  const Eigen::Index n = mesh.points.rows(), faces = static_cast<Eigen::Index>(mesh.offsets.size()) - 1;
  const auto corners = static_cast<std::int64_t>(mesh.corners.size());
  require_indexable(n + table.size() + faces, corners);
  PolygonMesh fine;
  fine.points.resize(n + table.size() + faces, 3);
  fine.points.topRows(n) = mesh.points;
  fine.points.middleRows(n, table.size()) = edge_midpoints(mesh.points, table);
  fine.points.bottomRows(faces) = face_means(mesh);
  fine.corners.reserve(4 * corners);
  fine.offsets.reserve(corners + 1);
  for (Eigen::Index f = 0; f < faces; ++f) {
    const std::int64_t begin = mesh.offsets[f], end = mesh.offsets[f + 1];
    for (std::int64_t c = begin; c < end; ++c) {
      const Index before = table.edge_of_corner[c == begin ? end - 1 : c - 1];
      for (const Eigen::Index corner :
           {Eigen::Index{mesh.corners[c]}, n + table.edge_of_corner[c], n + table.size() + f, n + before}) {
        fine.corners.push_back(static_cast<Index>(corner));
      }
      fine.offsets.push_back(static_cast<std::int64_t>(fine.corners.size()));
    }
  }
  return fine;
}

}  // namespace

TriangleMesh subdivide_midpoint(const TriangleMesh& mesh) {
  return split_triangles(mesh, find_edges(mesh));
}

TriangleMesh subdivide_loop(const TriangleMesh& mesh) {
  const EdgeTable table = find_edges(mesh);
  TriangleMesh fine = split_triangles(mesh, table);
  const Eigen::Index n = mesh.points.rows();
  const VertexRings rings = sum_rings(mesh.points, table);
  for (Eigen::Index v = 0; v < n; ++v) {
    if (rings.creases[v] > 0 || rings.edges[v] < 3) {
      fine.points.row(v) = crease_rule(mesh.points, rings, v);
      continue;
    }
    const double degree = rings.edges[v];
    const double around = 0.375 + 0.25 * std::cos(2 * std::numbers::pi / degree);
    const double weight = 0.625 - around * around;
    fine.points.row(v) = (1 - weight) * mesh.points.row(v) + weight / degree * rings.neighbour_sum.row(v);
  }
  // An inner edge's vertex: 3/8 of each end and 1/8 of each opposite corner, that is 3/4 of the midpoint and
  // the rest.
  for (Index e = 0; e < table.size(); ++e) {
    if (!is_crease(table, e)) fine.points.row(n + e) *= 0.75;
  }
  for (Eigen::Index c = 0; c < mesh.triangles.size(); ++c) {
    const Index e = table.edge_of_corner[c];
    if (!is_crease(table, e))
      fine.points.row(n + e) += 0.125 * mesh.points.row(mesh.triangles(c / 3, (c + 2) % 3));
  }
  return fine;
}

PolygonMesh subdivide_midpoint(const PolygonMesh& mesh) {
  return split_polygons(mesh, find_edges(mesh));
}

PolygonMesh subdivide_catmull_clark(const PolygonMesh& mesh) {
  const EdgeTable table = find_edges(mesh);
  PolygonMesh fine = split_polygons(mesh, table);
  const Eigen::Index n = mesh.points.rows(), faces = static_cast<Eigen::Index>(mesh.offsets.size()) - 1;
  const VertexRings rings = sum_rings(mesh.points, table);
  Points face_sum = Points::Zero(n, 3);
  std::vector<Index> face_degree(n, 0);
  for (Index e = 0; e < table.size(); ++e) {
    if (!is_crease(table, e)) fine.points.row(n + e) /= 2;
  }
  for (Eigen::Index f = 0; f < faces; ++f) {
    const Eigen::RowVector3d mean = fine.points.row(n + table.size() + f);
    for (std::int64_t c = mesh.offsets[f]; c < mesh.offsets[f + 1]; ++c) {
      face_sum.row(mesh.corners[c]) += mean;
      ++face_degree[mesh.corners[c]];
      const Index e = table.edge_of_corner[c];
      if (!is_crease(table, e)) fine.points.row(n + e) += mean / 4;
    }
  }
  for (Eigen::Index v = 0; v < n; ++v) {
    if (rings.creases[v] > 0 || rings.edges[v] < 3) {
      fine.points.row(v) = crease_rule(mesh.points, rings, v);
      continue;
    }
    // Mean of the edges' midpoints is half the vertex and half its neighbours' mean.
    const double degree = rings.edges[v];
    const Eigen::RowVector3d middle = (mesh.points.row(v) + rings.neighbour_sum.row(v) / degree) / 2;
    fine.points.row(v) =
        (face_sum.row(v) / face_degree[v] + 2 * middle + (degree - 3) * mesh.points.row(v)) / degree;
  }
  return fine;
}

Shape subdivide(const Shape& shape, int times, bool smooth) {
  if (times < 0) throw InputError(text("cannot subdivide ", times, " times: use 0 or more"));
  Shape fine = shape;
  for (int round = 0; round < times; ++round) {
    if (const auto* triangles = std::get_if<TriangleMesh>(&fine)) {
      fine = smooth ? subdivide_loop(*triangles) : subdivide_midpoint(*triangles);
    } else if (const auto* polygons = std::get_if<PolygonMesh>(&fine)) {
      fine = smooth ? subdivide_catmull_clark(*polygons) : subdivide_midpoint(*polygons);
    } else {
      throw InputError(text("a ", kind_name(fine), " has no faces to subdivide: use a mesh"));
    }
  }
  return fine;
}

}  // namespace geodome::internal
