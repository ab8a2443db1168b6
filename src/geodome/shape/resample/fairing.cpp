#include "geodome/shape/resample/fairing.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "geodome/base/threads.h"
#include "geodome/shape/edge_table.h"

namespace geodome::internal {
namespace {

using Eigen::Vector3d;

/// An inner edge with its two triangles: (a, b, left) and (b, a, right).
struct Diamond {
  Index a, b, left, right;
};

Vector3d normal_of(const Points& points, Index a, Index b, Index c) {
  const Vector3d p = points.row(a), q = points.row(b), r = points.row(c);
  return (q - p).cross(r - p);
}

bool folds(const Points& points, const Diamond& d) {
  const Vector3d before = normal_of(points, d.a, d.b, d.left) + normal_of(points, d.b, d.a, d.right);
  const Vector3d first = normal_of(points, d.left, d.right, d.b),
                 second = normal_of(points, d.right, d.left, d.a);
  const double least = 0.5 * before.norm();
  return first.dot(before) <= least * first.norm() || second.dot(before) <= least * second.norm();
}

/// Flips all inner edges that `wants` accepts and that share no triangle with one flipped in the same pass.
template <typename Wants>
Index flip_edges(TriangleMesh& mesh, Wants wants) {
  const EdgeTable table = find_edges(mesh);
  std::vector<std::array<Eigen::Index, 2>> corners(table.size(), {-1, -1});
  for (Eigen::Index c = 0; c < mesh.triangles.size(); ++c) {
    auto& pair = corners[table.edge_of_corner[c]];
    pair[pair[0] < 0 ? 0 : 1] = c;
  }
  std::vector<bool> touched(mesh.triangles.rows(), false);
  std::set<std::array<Index, 2>> made;
  Index flipped = 0;
  const auto corner = [&](Eigen::Index c, int ahead) { return mesh.triangles(c / 3, (c + ahead) % 3); };
  for (Index e = 0; e < table.size(); ++e) {
    if (table.faces_on_edge[e] != 2) continue;
    const auto [c, d] = corners[e];
    if (touched[c / 3] || touched[d / 3]) continue;
    const Diamond diamond{corner(c, 0), corner(c, 1), corner(c, 2), corner(d, 2)};
    if (corner(d, 0) != diamond.b || diamond.left == diamond.right) continue;  // turned against each other
    const std::array<Index, 2> across = {std::min(diamond.left, diamond.right),
                                         std::max(diamond.left, diamond.right)};
    if (!wants(diamond) || folds(mesh.points, diamond)) continue;
    if (std::binary_search(table.edges.begin(), table.edges.end(), across) || !made.insert(across).second)
      continue;
    mesh.triangles.row(c / 3) << diamond.left, diamond.right, diamond.b;
    mesh.triangles.row(d / 3) << diamond.right, diamond.left, diamond.a;
    touched[c / 3] = touched[d / 3] = true;
    ++flipped;
  }
  return flipped;
}

double angle_at(const Points& points, Index apex, Index a, Index b) {
  const Vector3d u = points.row(a) - points.row(apex), v = points.row(b) - points.row(apex);
  return std::atan2(u.cross(v).norm(), u.dot(v));
}

}  // namespace

Index flip_to_even_degrees(TriangleMesh& mesh) {
  std::vector<int> degree(mesh.points.rows(), 0);
  for (Index v : mesh.triangles.reshaped()) ++degree[v];
  return flip_edges(mesh, [&degree](const Diamond& d) {
    const auto excess = [](int a, int b, int l, int r) {
      return (a - 6) * (a - 6) + (b - 6) * (b - 6) + (l - 6) * (l - 6) + (r - 6) * (r - 6);
    };
    int &a = degree[d.a], &b = degree[d.b], &l = degree[d.left], &r = degree[d.right];
    if (a <= 4 || b <= 4 || excess(a - 1, b - 1, l + 1, r + 1) >= excess(a, b, l, r)) return false;
    --a, --b, ++l, ++r;
    return true;
  });
}

Index flip_to_delaunay(TriangleMesh& mesh) {
  return flip_edges(mesh, [&mesh](const Diamond& d) {
    const double sum = angle_at(mesh.points, d.left, d.a, d.b) + angle_at(mesh.points, d.right, d.a, d.b);
    return sum > std::numbers::pi * (1 + 1e-6);
  });
}

void relax(TriangleMesh& mesh, int rounds, const std::function<Vector3d(const Vector3d&)>& project,
           const Execution& execution) {
  const EdgeTable table = find_edges(mesh);
  const Eigen::Index n = mesh.points.rows();
  constexpr Eigen::Index block = 4096;
  for (int round = 0; round < rounds; ++round) {
    Points sum = Points::Zero(n, 3), normals = Points::Zero(n, 3);
    std::vector<int> degree(n, 0);
    for (const auto& [a, b] : table.edges) {
      sum.row(a) += mesh.points.row(b);
      sum.row(b) += mesh.points.row(a);
      ++degree[a], ++degree[b];
    }
    for (Eigen::Index f = 0; f < mesh.triangles.rows(); ++f) {
      const auto t = mesh.triangles.row(f);
      const Vector3d normal = normal_of(mesh.points, t[0], t[1], t[2]);
      for (int k = 0; k < 3; ++k) normals.row(t[k]) += normal.transpose();
    }
    parallel_for(
        static_cast<std::size_t>((n + block - 1) / block), execution, "", [&](std::size_t item, int) {
          const auto begin = static_cast<Eigen::Index>(item) * block;
          for (Eigen::Index v = begin; v < std::min(n, begin + block); ++v) {
            if (degree[v] == 0) continue;
            const Vector3d here = mesh.points.row(v).transpose(),
                           normal = normals.row(v).normalized().transpose();
            const Vector3d pull = sum.row(v).transpose() / degree[v] - here;
            mesh.points.row(v) = project(here + 0.7 * (pull - normal.dot(pull) * normal)).transpose();
          }
        });
  }
}

}  // namespace geodome::internal
