#pragma once
/// Quantiles of very many positive numbers in a fixed amount of memory.

#include <cstdint>
#include <vector>

#include "geodome/base/team.h"

namespace geodome::internal {

/// Counts numbers by magnitude, 256 bins for every power of two between 2^-64 and 2^64, so that a quantile is
/// known to 0.4 %. Numbers below count as zero, numbers above as infinite. Counts are whole: in whatever
/// order numbers are added and histograms merged, the result is the same. Memory: 256 KiB.
class Histogram {
 public:
  Histogram();

  /// `value` is at least zero and not NaN.
  void add(double value);
  void merge(const Histogram& other);
  /// Those of all ranks, which is then the same on all of them.
  void merge(const Team& team);

  std::int64_t count() const { return count_; }

  /// A value that the given share of all numbers does not exceed, `share` in [0, 1]; zero if there are none.
  double quantile(double share) const;

 private:
  std::vector<std::int64_t> bins_;
  std::int64_t count_ = 0;
};

}  // namespace geodome::internal
