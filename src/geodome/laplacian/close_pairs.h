#pragma once
/// Nearest neighbours in many dimensions, exactly: pairs are compared in a few directions first, in which
/// most are already too far apart.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// Rows of coordinates (#V by d), which must outlive it: in 32-bit floats, and along the directions in which
/// they vary most. Const and thread-safe after construction.
class ClosePairs {
 public:
  /// Cost: 64 #V d operations; 4 (d + 66) #V bytes. The values are finite.
  ClosePairs(const Eigen::Ref<const RowMatrix<double>>& points, const Execution& execution);
  ~ClosePairs();

  /// About how many seconds of one processor search() takes, by counting the operations of every hundredth
  /// part of it, so that it is the same on every machine; some number above `most` where it is more.
  double estimated_seconds(Index k, double most, const Execution& execution) const;

  /// Calls `found(point, neighbours)` for every point, from several threads, with the distances and rows of
  /// its k (at most #V - 1) nearest others, nearest first, ties by row. Cost: a fraction of #V² d operations,
  /// from some thousandths where the points lie near a surface of few dimensions to all where they fill all
  /// dimensions.
  using Candidates = std::vector<std::pair<double, Index>>;
  void search(Index k, const Execution& execution,
              const std::function<void(Index point, const Candidates& neighbours)>& found) const;

 private:
  struct Leaves;
  class Searcher;
  const Eigen::Ref<const RowMatrix<double>> points_;
  std::unique_ptr<const Leaves> leaves_;
};

}  // namespace geodome::internal
