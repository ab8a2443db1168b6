#pragma once
/// Nearest neighbours of points in any dimension: a k-d tree in low dimension, a hierarchical navigable
/// small-world graph in high dimension.

#include <cstdint>
#include <memory>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// The nearest neighbours of every point, nearest first, ties by index; the point itself is not among them,
/// an exact duplicate of it is.
struct Neighbours {
  RowMatrix<Index> vertex;     ///< #V by k
  RowMatrix<double> distance;  ///< #V by k
};

/// Finds the k nearest neighbours of each row of `points` (#V by d); k is lowered to #V - 1 where it is
/// larger. Exact up to 15 dimensions [k-d tree] and for up to 2,000 points; beyond, approximate [Malkov and
/// Yashunin 2020] with distances that are exact, and the same answer for the same seed on any number of
/// threads. Cost: about O(#V log #V) distance evaluations, O(#V (k + d)) memory. Throws InputError when k < 1
/// or a value is not finite.
Neighbours nearest_neighbours(const Eigen::Ref<const RowMatrix<double>>& points, Index k,
                              std::uint64_t seed = 0, const Execution& execution = {});

/// Whether these are found by the approximate search: among more than 2,000 points of more than 15
/// dimensions.
bool searched_by_graph(const Eigen::Ref<const RowMatrix<double>>& points);

/// A k-d tree over rows of coordinates, which must outlive it. Const and thread-safe after construction.
class NeighbourTree {
 public:
  explicit NeighbourTree(const Eigen::Ref<const RowMatrix<double>>& points);
  ~NeighbourTree();
  NeighbourTree(NeighbourTree&&) noexcept;
  NeighbourTree& operator=(NeighbourTree&&) noexcept;

  /// The k (at most #V - 1) nearest neighbours of row `point`, itself left out, nearest first, ties by index.
  void nearest(Index point, Index k, std::vector<Index>& vertex, std::vector<double>& distance) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

}  // namespace geodome::internal
