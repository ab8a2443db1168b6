#pragma once
/// Plain, slow counts and measures of a triangle mesh, for tests of what makes or changes meshes.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::testing {

struct SurfaceFacts {
  Index euler = 0;  ///< of the referenced vertices
  Index components = 0;
  Index boundary_loops = 0;  ///< components of the graph of boundary edges
  Index boundary_edges = 0;
  Index non_manifold_edges = 0;
  bool consistent = true;  ///< no directed edge occurs twice
  double area = 0;
  double volume = 0;  ///< signed, by the divergence theorem; means something on closed meshes
  double boundary_length = 0;
};

inline Index count_components(const std::set<Index>& vertices,
                              const std::vector<std::pair<Index, Index>>& edges) {
  std::map<Index, Index> parent;
  for (Index v : vertices) parent[v] = v;
  const auto root = [&](Index v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  Index count = static_cast<Index>(vertices.size());
  for (const auto& [a, b] : edges) {
    const Index ra = root(a), rb = root(b);
    if (ra != rb) parent[ra] = rb, --count;
  }
  return count;
}

inline SurfaceFacts surface_facts(const TriangleMesh& mesh) {
  SurfaceFacts facts;
  std::map<std::pair<Index, Index>, int> directed, undirected;
  std::set<Index> used, on_boundary;
  std::vector<std::pair<Index, Index>> edges, boundary;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    Eigen::Vector3d p[3];
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.triangles(f, k), b = mesh.triangles(f, (k + 1) % 3);
      p[k] = mesh.points.row(a).transpose();
      used.insert(a);
      if (++directed[{a, b}] > 1) facts.consistent = false;
      ++undirected[std::minmax(a, b)];
    }
    facts.area += (p[1] - p[0]).cross(p[2] - p[0]).norm() / 2;
    facts.volume += p[0].dot(p[1].cross(p[2])) / 6;
  }
  for (const auto& [edge, faces] : undirected) {
    edges.push_back(edge);
    if (faces > 2) ++facts.non_manifold_edges;
    if (faces != 1) continue;
    boundary.push_back(edge);
    on_boundary.insert({edge.first, edge.second});
    facts.boundary_length += (mesh.points.row(edge.first) - mesh.points.row(edge.second)).norm();
  }
  facts.boundary_edges = static_cast<Index>(boundary.size());
  facts.boundary_loops = count_components(on_boundary, boundary);
  facts.components = count_components(used, edges);
  facts.euler = static_cast<Index>(used.size()) - static_cast<Index>(edges.size()) +
                static_cast<Index>(mesh.triangles.rows());
  return facts;
}

/// Smallest over all triangles of 4√3 area / (sum of squared edges): 1 equilateral, 0 degenerate.
inline double worst_quality(const TriangleMesh& mesh) {
  double worst = 1;
  for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
    const Eigen::Vector3d a = mesh.points.row(mesh.triangles(f, 0)).transpose();
    const Eigen::Vector3d b = mesh.points.row(mesh.triangles(f, 1)).transpose();
    const Eigen::Vector3d c = mesh.points.row(mesh.triangles(f, 2)).transpose();
    const double edges = (b - a).squaredNorm() + (c - b).squaredNorm() + (a - c).squaredNorm();
    worst = std::min(worst, 2 * std::sqrt(3.0) * (b - a).cross(c - a).norm() / edges);
  }
  return worst;
}

}  // namespace geodome::testing
