#pragma once
/// How the faces of a mesh hang together: a common view of both kinds of mesh, their sides grouped by edge,
/// and sets that are joined as faces are walked through.

#include <algorithm>
#include <compare>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
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

/// Groups the sides of faces by edge, and calls visit(low, sides) for every edge, in increasing order of its
/// lower vertex and then of its higher one. `each_side(add)` calls add(low, side) for every side, the same
/// ones each time it is called. `Side` has the member `high`, the higher vertex, and an operator< that
/// compares it first; the sides of an edge are visited in that order. All other functions that find the faces
/// at an edge are written with this one.
/// Cost: O(#V + sum over vertices of d log d) time, sizeof(Side) bytes per side.
template <typename Side, typename EachSide, typename Visit>
void visit_edges(Index vertices, EachSide each_side, Visit visit) {
  std::vector<std::int64_t> begin(static_cast<std::size_t>(vertices) + 1, 0);
  each_side([&](Index low, const Side&) { ++begin[low + 1]; });
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<Side> sides(static_cast<std::size_t>(begin.back()));
  std::vector<std::int64_t> place(begin.begin(), begin.end() - 1);
  each_side([&](Index low, const Side& side) { sides[place[low]++] = side; });
  for (Index v = 0; v < vertices; ++v) {
    const auto last = sides.begin() + begin[v + 1];
    std::sort(sides.begin() + begin[v], last);
    for (auto first = sides.begin() + begin[v], end = first; first != last; first = end) {
      while (end != last && end->high == first->high) ++end;
      visit(v, std::span<const Side>(first, end));
    }
  }
}

/// Side k of triangle f is the one opposite corner k and has the number 3 f + k.
struct TriangleSide {
  Index high = 0;
  Index number = 0;
  auto operator<=>(const TriangleSide&) const = default;
};

/// visit_edges for all sides of all triangles. Corners must be in range.
template <typename Visit>
void visit_edges(const Triangles& triangles, Index vertices, Visit visit) {
  const auto each_side = [&](auto add) {
    for (Index f = 0; f < triangles.rows(); ++f)
      for (Index k = 0; k < 3; ++k) {
        const Index a = triangles(f, (k + 1) % 3), b = triangles(f, (k + 2) % 3);
        add(std::min(a, b), TriangleSide{std::max(a, b), 3 * f + k});
      }
  };
  visit_edges<TriangleSide>(vertices, each_side, visit);
}

/// The corners of triangles by vertex, increasing: corner k of triangle f has the number 3 f + k.
class VertexCorners {
 public:
  /// Cost: O(#V + #F) time, 16 bytes per triangle.
  VertexCorners(const Triangles& triangles, Index vertices);
  std::span<const Index> operator[](Index vertex) const {
    return {corners_.data() + first_[vertex], corners_.data() + first_[vertex + 1]};
  }
  Index vertices() const { return static_cast<Index>(first_.size()) - 1; }

 private:
  std::vector<Index> first_;
  std::vector<Index> corners_;
};

/// For every side the other side at the same edge; -1 at the boundary and where more than two triangles meet.
std::vector<Index> opposite_sides(const Triangles& triangles, const VertexCorners& corners,
                                  const Execution& execution = {1, {}});
std::vector<Index> opposite_sides(const Triangles& triangles, Index vertices);

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
