#pragma once
/// The vertices nearest to a vertex, and all within a radius, without looking at every vertex.

#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/matrix/near_field.h"

namespace geodome::internal {

/// The `count` other vertices at the smallest distances, nearest first (ties: the smaller vertex), and all
/// vertices at most `radius` away: of any matrix of kind distance, at the cost of a whole row. Throw
/// InputError on a vertex out of range or a negative count.
std::vector<Neighbour> nearest_in_row(const DistanceMatrix& distances, Index vertex, Index count);
std::vector<Neighbour> within_in_row(const DistanceMatrix& distances, Index vertex, double radius);

/// Vertices grouped by the landmark that weighs most in their row of P. A query goes through the groups by
/// what their nearest vertex could be at least: the landmark's distance less the group's radius, less one
/// spacing, since distances are approximate. Const and thread-safe. The matrix must outlive it.
class NeighbourSearch {
 public:
  /// Cost: one pass over P; 8 bytes per vertex.
  explicit NeighbourSearch(NearField field);

  const NearField& field() const { return field_; }

  /// The `count` other vertices at the smallest distances, nearest first (ties: the smaller vertex); fewer
  /// where the component has no more. Cost: a product with W, then about one dot product of length p_row for
  /// every vertex within a few spacings beyond the result. Throws InputError on a vertex out of range or a
  /// negative count.
  std::vector<Neighbour> nearest(Index vertex, Index count) const;

  /// All vertices at most `radius` away, the vertex itself included, nearest first.
  std::vector<Neighbour> within(Index vertex, double radius) const;

 private:
  struct Source;
  /// Calls `visit(vertex, distance)` for the vertices of one group that may be nearer than `limit()`.
  template <typename Limit, typename Visit>
  void look_at(const Source& source, Index landmark, Limit limit, Visit visit) const;
  Source make_source(Index vertex) const;

  NearField field_;
  std::vector<std::int64_t> begin_;  ///< #landmarks + 1
  std::vector<Index> member_;        ///< by landmark
  std::vector<double> radius_;       ///< #landmarks: the largest distance from the landmark to its group
};

}  // namespace geodome::internal
