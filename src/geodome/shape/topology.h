#pragma once
/// How the faces of a mesh hang together: a common view of both kinds of mesh, their sides sorted by edge,
/// and sets that are joined as faces are walked through.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// The faces of a triangle or polygon mesh, by reference: the mesh must outlive it.
class FaceView {
 public:
  explicit FaceView(const TriangleMesh& mesh);
  explicit FaceView(const PolygonMesh& mesh);

  std::int64_t size() const { return faces_; }
  std::int64_t corners() const { return begin(faces_); }
  /// Position of the first corner of face f among all corners.
  std::int64_t begin(std::int64_t f) const { return offsets_ ? offsets_[f] : 3 * f; }
  std::span<const Index> operator[](std::int64_t f) const {
    return {corner_ + begin(f), static_cast<std::size_t>(begin(f + 1) - begin(f))};
  }

 private:
  const Index* corner_;
  const std::int64_t* offsets_ = nullptr;
  std::int64_t faces_;
};

/// True if the face names a vertex outside [0, vertices).
bool out_of_range(std::span<const Index> face, Index vertices);

/// True if the face has fewer than three different corners, so that it is an edge or a point, not a face.
/// Cost: constant unless the face begins with one vertex repeated.
bool collapsed(std::span<const Index> face);

/// One side of a face: the edge between a smaller vertex (which the table is indexed by) and `high`.
struct Side {
  Index high = 0;
  bool forward = false;          ///< the face walks from the smaller vertex to the larger
  std::int64_t low_corner = 0;   ///< the face's corner at the smaller vertex, counted among all corners
  std::int64_t high_corner = 0;  ///< the face's corner at the larger
};

/// The sides of all faces, grouped by edge: those of smaller vertex a are sides[begin[a] .. begin[a + 1]),
/// sorted by (high, low_corner). Sides from a vertex to itself are left out.
struct SideTable {
  std::vector<std::int64_t> begin;  ///< #V + 1
  std::vector<Side> sides;
};

/// Only faces with `valid[f]` nonzero are used; their indices must be in range.
/// Cost: O(#V + sum over vertices of d log d) time, 24 bytes per corner.
SideTable sort_sides(const FaceView& faces, Index vertices, const std::vector<char>& valid);

/// Which faces repeat an earlier one: the same corners in the same cyclic order, in either direction.
/// Only faces with `valid[f]` nonzero are looked at. Cost: O(corners + #F log #F) time.
std::vector<char> find_duplicates(const FaceView& faces, Index vertices, const std::vector<char>& valid);

/// Disjoint sets of [0, count): union-find with path halving; the root of a set is its smallest member.
class DisjointSets {
 public:
  explicit DisjointSets(std::int64_t count);
  std::int64_t find(std::int64_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void unite(std::int64_t a, std::int64_t b) {
    a = find(a);
    b = find(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

 private:
  std::vector<std::int64_t> parent_;
};

}  // namespace geodome::internal
