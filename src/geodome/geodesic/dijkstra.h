#pragma once
/// Shortest paths along weighted edges: Dijkstra's algorithm with a four-ary heap, or with buckets.

#include <memory>
#include <span>
#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/solver.h"

namespace geodome::internal {

/// The front of a shortest-path search: vertices by tentative distance, nearest first. A vertex may be in it
/// several times; only its smallest entry counts.
class DistanceHeap {
 public:
  bool empty() const { return entries_.empty(); }
  void clear() { entries_.clear(); }
  void push(Index vertex, double distance);
  Neighbour pop();

 private:
  std::vector<Neighbour> entries_;
};

/// Lowers `distance` (#V) to the length of the shortest path from `source` wherever that is both smaller than
/// what it holds and at most `radius`. Paths beyond a vertex that is not lowered cannot lower anything, so
/// the search stops there: with all of `distance` infinite this is Dijkstra's algorithm, with distances to
/// earlier sources it adds one more. Appends to `lowered` (if given) each vertex it changed, nearest first.
/// `heap` is workspace, empty before and after. Cost: O(m log m) time for m edges at lowered vertices.
void lower_distances(const Adjacency& adjacency, Index source, double radius, std::span<double> distance,
                     DistanceHeap& heap, std::vector<Index>* lowered = nullptr);

/// Distances along the edges of a graph. Edges of length zero are allowed; a vertex without neighbours is
/// infinitely far from all others. `distances` works on several sources in parallel; `within` costs time in
/// proportion to the ball alone. Rows of all distances use buckets a quarter of a mean edge wide, in O(#E)
/// time where lengths are of the same order, and a heap elsewhere; the numbers are the same. Cost: O(#E log
/// #V) time per source, one number per vertex and thread of workspace.
class DijkstraSolver : public GeodesicSolver {
 public:
  explicit DijkstraSolver(Adjacency adjacency);
  ~DijkstraSolver() override;

  Index size() const override { return adjacency_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;
  /// Row by row, dealt out in turn.
  SomeRows some_between(std::span<const Index> sources, std::span<const Index> targets, const Share& share,
                        const Execution& execution = {}) const override;
  std::vector<Neighbour> within(Index source, double radius) const override;
  const Adjacency& adjacency() const { return adjacency_; }

 private:
  class Workspaces;

  Adjacency adjacency_;
  double bucket_width_ = 0;
  std::size_t buckets_ = 0;  ///< 0: lengths differ too much, a heap is used
  std::unique_ptr<Workspaces> workspaces_;
};

}  // namespace geodome::internal
