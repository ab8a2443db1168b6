#pragma once
/// Nearest neighbours of points in any dimension: a k-d tree in low dimension; in high dimension all pairs
/// that are close in some directions (close_pairs.h), or a hierarchical navigable small-world graph where
/// these are too many.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/threads.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// The nearest neighbours of every point, nearest first, ties by index; the point itself is not among them,
/// an exact duplicate of it is.
struct Neighbours {
  RowMatrix<Index> vertex;     ///< #V by k
  RowMatrix<double> distance;  ///< #V by k
};

/// Finds the k nearest neighbours of each row of `points` (#V by d); k is lowered to #V - 1 where it is
/// larger. Exact up to 15 dimensions [k-d tree], and beyond as long as comparing pairs takes at most twice as
/// long as a search graph, by an estimate that depends on the points alone: up to some hundred thousand
/// points near surfaces of few dimensions. Otherwise as graph_neighbours(). The same on any number of
/// threads. Cost: see NeighbourCost; O(#V (k + d)) memory. Throws InputError when k < 1 or a value is not
/// finite.
Neighbours nearest_neighbours(const Eigen::Ref<const RowMatrix<double>>& points, Index k,
                              std::uint64_t seed = 0, const Execution& execution = {});

/// The same approximately [Malkov and Yashunin 2020], with distances that are exact, for 1 <= k < #V. Cost:
/// about O(#V log #V) distance evaluations, half of them by one thread.
Neighbours graph_neighbours(const Eigen::Ref<const RowMatrix<double>>& points, Index k, std::uint64_t seed,
                            const Execution& execution = {});

/// Estimates how long nearest_neighbours() takes for these points. Cost: a search among some thousand of
/// them.
class NeighbourCost {
 public:
  explicit NeighbourCost(const Eigen::Ref<const RowMatrix<double>>& points);
  ~NeighbourCost();

  double seconds(Index k, int threads) const;

 private:
  struct Part;
  double count_, dimensions_;
  std::vector<Part> parts_;  ///< some of the points, and twice as many, where there are many dimensions
};

/// Calls `work(point)` for every point in [0, count), for work of microseconds: in parallel, some at a time.
template <typename Work>
void for_each_point(Eigen::Index count, const Execution& execution, std::string_view stage,
                    const Work& work) {
  constexpr Eigen::Index some = 64;
  parallel_for(static_cast<std::size_t>((count + some - 1) / some), execution, stage,
               [&](std::size_t item, int) {
                 const Eigen::Index begin = static_cast<Eigen::Index>(item) * some;
                 for (Eigen::Index point = begin; point < std::min(count, begin + some); ++point)
                   work(static_cast<Index>(point));
               });
}

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
