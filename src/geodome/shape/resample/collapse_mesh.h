#pragma once
/// A triangle mesh that edges can be collapsed in. Knows connectivity only; where vertices lie is the
/// caller's.

#include <span>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

class CollapseMesh {
 public:
  /// Faces with a repeated corner are left out.
  explicit CollapseMesh(const TriangleMesh& mesh)
      : CollapseMesh(mesh.triangles, static_cast<Index>(mesh.points.rows())) {}
  CollapseMesh(Triangles triangles, Index vertices);

  enum class Place : unsigned char { unused, inside, boundary, fixed };  ///< fixed: not a manifold there

  Index vertices() const { return vertices_; }
  Place place(Index v) const { return place_[v]; }
  std::span<const Index> faces(Index v) const {
    return {pool_.data() + begin_[v], static_cast<std::size_t>(count_[v])};
  }
  const Index* face(Index f) const { return faces_.row(f).data(); }

  /// Calls `visit(w)` for each neighbour of v once.
  template <typename Visit>
  void for_each_neighbour(Index v, Visit visit) {
    const unsigned mark = next_mark();
    for (Index f : faces(v)) {
      for (int k = 0; k < 3; ++k) {
        const Index w = faces_(f, k);
        if (w == v || mark_[w] == mark) continue;
        mark_[w] = mark;
        visit(w);
      }
    }
  }

  /// Whether contracting a-b keeps the surface what it is up to bending: the link condition [Dey et al.
  /// 1999].
  bool can_collapse(Index a, Index b);

  /// Contracts the edge; b's faces become a's, and the faces on the edge vanish. a is on a boundary if b was.
  void collapse(Index a, Index b);

  /// The faces that are left.
  Triangles triangles() const;

 private:
  unsigned next_mark() { return ++marks_used_; }
  void classify(Index v);
  bool has_face(Index v, Index a, Index b) const;
  void remove_from_list(Index v, Index f);

  Triangles faces_;
  std::vector<bool> alive_;
  std::vector<Index> pool_;          ///< face lists of all vertices, old ones left behind
  std::vector<std::int64_t> begin_;  ///< into pool_
  std::vector<Index> count_;
  std::vector<Place> place_;
  std::vector<unsigned> mark_;
  unsigned marks_used_ = 0;
  std::vector<Index> scratch_;
  Index vertices_ = 0;  ///< that have a face
};

}  // namespace geodome::internal
