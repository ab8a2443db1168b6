#include "geodome/laplacian/intrinsic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "geodome/laplacian/assembly.h"
#include "geodome/shape/topology.h"

namespace geodome::internal {
namespace {

/// Smallest excess of two sides over the third, in mean edge lengths: keeps heights above about 1e-3 of the
/// base.
constexpr double mollification = 1e-6;
/// An edge is flipped only if its weight is this far below zero: points on a common circle would flip for
/// ever.
constexpr double flip_tolerance = 1e-10;

/// A side of a face: 3 * face + k, opposite corner k.
using Side = Index;
constexpr Side none = -1;

int face_of(Side side) {
  return side / 3;
}
int after(int k) {
  return k == 2 ? 0 : k + 1;
}
int before(int k) {
  return k == 0 ? 2 : k - 1;
}

/// Whether two faces walk their common edge in the same direction.
bool same_direction(const Triangles& triangles, Side one, Side two) {
  return triangles(face_of(one), after(one % 3)) == triangles(face_of(two), after(two % 3));
}

/// Turns faces over so that neighbours agree, as far as that goes, and unglues the sides where it does not.
void orient(IntrinsicMesh& mesh, std::vector<Side>& opposite) {
  const Index faces = static_cast<Index>(mesh.triangles.rows());
  std::vector<char> seen(static_cast<std::size_t>(faces), 0);
  std::vector<char> turned(static_cast<std::size_t>(faces), 0);
  std::vector<Index> stack;
  for (Index root = 0; root < faces; ++root) {
    if (seen[static_cast<std::size_t>(root)]) continue;
    seen[static_cast<std::size_t>(root)] = 1;
    stack.push_back(root);
    while (!stack.empty()) {
      const Index f = stack.back();
      stack.pop_back();
      for (int k = 0; k < 3; ++k) {
        const Side here = 3 * f + k, there = opposite[static_cast<std::size_t>(here)];
        if (there == none || seen[static_cast<std::size_t>(face_of(there))]) continue;
        const auto next = static_cast<std::size_t>(face_of(there));
        seen[next] = 1;
        turned[next] = turned[static_cast<std::size_t>(f)] != same_direction(mesh.triangles, here, there);
        stack.push_back(face_of(there));
      }
    }
  }
  for (Side side = 0; side < 3 * faces; ++side) {
    const Side other = opposite[static_cast<std::size_t>(side)];
    if (other == none) continue;
    const bool differ =
        turned[static_cast<std::size_t>(face_of(side))] != turned[static_cast<std::size_t>(face_of(other))];
    if (same_direction(mesh.triangles, side, other) != differ)
      opposite[static_cast<std::size_t>(side)] = opposite[static_cast<std::size_t>(other)] = none;
  }
  // Swapping corners 1 and 2 turns a face over: sides 1 and 2 change places too.
  const auto moved = [&](Side side) {
    if (side == none || !turned[static_cast<std::size_t>(face_of(side))] || side % 3 == 0) return side;
    return 3 * face_of(side) + 3 - side % 3;
  };
  std::vector<Side> result(opposite.size());
  for (Side side = 0; side < 3 * faces; ++side)
    result[static_cast<std::size_t>(moved(side))] = moved(opposite[static_cast<std::size_t>(side)]);
  opposite = std::move(result);
  for (Index f = 0; f < faces; ++f)
    if (turned[static_cast<std::size_t>(f)]) {
      std::swap(mesh.triangles(f, 1), mesh.triangles(f, 2));
      std::swap(mesh.lengths(f, 1), mesh.lengths(f, 2));
    }
}

/// Flips edges of an oriented, glued mesh.
class Flipper {
 public:
  Flipper(IntrinsicMesh& mesh, std::vector<Side> opposite) : mesh_(mesh), opposite_(std::move(opposite)) {}

  std::int64_t run() {
    const auto sides = static_cast<Side>(opposite_.size());
    waiting_.assign(opposite_.size(), 0);
    for (Side side = sides - 1; side >= 0; --side) wait(side);
    // Ends by itself in exact arithmetic; the bound only guards against rounding.
    const std::int64_t most = 100 + 100 * static_cast<std::int64_t>(sides);
    std::int64_t flips = 0;
    while (!stack_.empty() && flips < most) {
      const Side side = stack_.back();
      stack_.pop_back();
      waiting_[static_cast<std::size_t>(side)] = 0;
      if (opposite_[static_cast<std::size_t>(side)] == none || weight(side) >= -flip_tolerance) continue;
      flips += flip(side);
    }
    return flips;
  }

 private:
  void wait(Side side) {
    if (opposite_[static_cast<std::size_t>(side)] == none || waiting_[static_cast<std::size_t>(side)]) return;
    waiting_[static_cast<std::size_t>(side)] = 1;
    stack_.push_back(side);
  }
  TriangleShape shape(int f) const {
    return triangle_shape(std::array{mesh_.lengths(f, 0), mesh_.lengths(f, 1), mesh_.lengths(f, 2)});
  }
  double weight(Side side) const {
    const Side other = opposite_[static_cast<std::size_t>(side)];
    return shape(face_of(side)).half_cotangent[static_cast<std::size_t>(side % 3)] +
           shape(face_of(other)).half_cotangent[static_cast<std::size_t>(other % 3)];
  }

  /// Replaces the diagonal ab of the quadrilateral a d b c by dc. Corner c is opposite `side`, d opposite its
  /// partner; a follows c in the first face, so b follows d in the second. False if it would not give two
  /// triangles.
  bool flip(Side side) {
    const Side other = opposite_[static_cast<std::size_t>(side)];
    const int f = face_of(side), g = face_of(other), i = side % 3, j = other % 3;
    if (f == g) return false;
    const Index c = mesh_.triangles(f, i), a = mesh_.triangles(f, after(i)),
                b = mesh_.triangles(f, before(i));
    const Index d = mesh_.triangles(g, j);
    const double ab = mesh_.lengths(f, i), bc = mesh_.lengths(f, after(i)), ca = mesh_.lengths(f, before(i));
    const double ad = mesh_.lengths(g, after(j)), db = mesh_.lengths(g, before(j));
    // Laid out with a at the origin and b on the x axis; c above, d below.
    const double cx = (ab * ab + (ca - bc) * (ca + bc)) / (2 * ab),
                 dx = (ab * ab + (ad - db) * (ad + db)) / (2 * ab);
    const double cy = 2 * shape(f).area / ab, dy = -2 * shape(g).area / ab;
    const double cd = std::hypot(cx - dx, cy - dy);
    if (triangle_shape(std::array{cd, ca, ad}).area == 0 || triangle_shape(std::array{cd, bc, db}).area == 0)
      return false;

    const std::array<Side, 4> around{opposite_[static_cast<std::size_t>(3 * f + after(i))],    // at bc
                                     opposite_[static_cast<std::size_t>(3 * f + before(i))],   // at ca
                                     opposite_[static_cast<std::size_t>(3 * g + after(j))],    // at ad
                                     opposite_[static_cast<std::size_t>(3 * g + before(j))]};  // at db
    // f becomes (a, d, c), g becomes (b, c, d): the sides opposite corner 0 are the new diagonal.
    mesh_.triangles.row(f) << a, d, c;
    mesh_.lengths.row(f) << cd, ca, ad;
    mesh_.triangles.row(g) << b, c, d;
    mesh_.lengths.row(g) << cd, db, bc;
    const std::array<Side, 4> place{3 * g + 2, 3 * f + 1, 3 * f + 2, 3 * g + 1};
    const std::array<Side, 4> former{3 * f + after(i), 3 * f + before(i), 3 * g + after(j),
                                     3 * g + before(j)};
    for (std::size_t s = 0; s < 4; ++s) {
      Side partner = around[s];
      for (std::size_t r = 0; r < 4; ++r)  // the quadrilateral may be glued to itself
        if (around[s] == former[r]) partner = place[r];
      opposite_[static_cast<std::size_t>(place[s])] = partner;
      if (partner != none) opposite_[static_cast<std::size_t>(partner)] = place[s];
    }
    opposite_[static_cast<std::size_t>(3 * f)] = 3 * g;
    opposite_[static_cast<std::size_t>(3 * g)] = 3 * f;
    for (const Side outer : place) wait(outer);
    return true;
  }

  IntrinsicMesh& mesh_;
  std::vector<Side> opposite_;
  std::vector<Side> stack_;
  std::vector<char> waiting_;
};

}  // namespace

IntrinsicMesh intrinsic_mesh(const Points& points, const Triangles& triangles) {
  IntrinsicMesh mesh;
  mesh.triangles.resize(triangles.rows(), 3);
  mesh.lengths.resize(triangles.rows(), 3);
  Eigen::Index kept = 0;
  double sum = 0;
  for (Index f = 0; f < triangles.rows(); ++f) {
    const auto corner = triangles.row(f);
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    mesh.triangles.row(kept) = corner;
    for (int k = 0; k < 3; ++k)
      mesh.lengths(kept, k) = (points.row(corner[after(k)]) - points.row(corner[before(k)])).norm();
    sum += mesh.lengths.row(kept++).sum();
  }
  mesh.triangles.conservativeResize(kept, 3);
  mesh.lengths.conservativeResize(kept, 3);
  const double margin = kept > 0 ? mollification * sum / (3 * static_cast<double>(kept)) : 0;
  double missing = 0;
  for (Eigen::Index f = 0; f < kept; ++f)
    missing = std::max(missing, margin + 2 * mesh.lengths.row(f).maxCoeff() - mesh.lengths.row(f).sum());
  mesh.lengths.array() += missing;
  return mesh;
}

std::int64_t flip_to_delaunay(IntrinsicMesh& mesh) {
  const Index vertices = mesh.triangles.size() > 0 ? mesh.triangles.maxCoeff() + 1 : 0;
  std::vector<Side> opposite = opposite_sides(mesh.triangles, vertices);
  orient(mesh, opposite);
  return Flipper(mesh, std::move(opposite)).run();
}

}  // namespace geodome::internal
