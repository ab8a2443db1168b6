#pragma once
/// A symmetric matrix as its packed lower triangle: what the landmark distances W of one component are kept
/// in.

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/landmark/precision.h"
#include "geodome/matrix/storage_check.h"
#include "geodome/matrix/weights.h"

namespace geodome::internal {

/// A view: the values must outlive it. Every product takes the entries as they are or squared, the squares
/// computed on the way, since reading W costs more than multiplying it.
class PackedSymmetric {
 public:
  enum class Power { one, two };

  /// `values` holds packed_size(size) numbers; entries are those times `step`. Throws InputError otherwise.
  /// `check`, if any, is called before values are read, and must outlive the view too.
  PackedSymmetric(Index size, PackedValues values, double step = 1, const StorageCheck* check = nullptr);

  Index size() const { return size_; }
  double operator()(Index row, Index column) const;

  /// a W bᵀ. Cost: a.size() · b.size().
  double bilinear(const Weights& a, const Weights& b, Power power = Power::one) const;

  /// a W aᵀ. Cost: half of that.
  double quadratic(const Weights& a, Power power = Power::one) const;

  /// W aᵀ. Cost: a.size() · size().
  std::vector<double> times(const Weights& a, Power power = Power::one) const;

  /// The given columns of W, increasing, times X, which has a row for each and 1, 4, 8 or 16 columns. Cost:
  /// size() · columns.size() · X.cols().
  RowMatrix<double> times(std::span<const Index> columns, const RowMatrix<double>& X,
                          Power power = Power::one) const;

  /// W X for X of size() by k, in parallel, reading W once for every 16 columns.
  RowMatrix<double> times(const RowMatrix<double>& X, Power power = Power::one,
                          const Execution& execution = {}) const;

  /// What one of `ranks` parts of the triangle, of equal work, and its mirror image add to W x: the sum over
  /// all of them is W x, up to rounding. In parallel.
  Vector times_part(int rank, int ranks, const Vector& x, Power power = Power::one,
                    const Execution& execution = {}) const;

 private:
  Index size_;
  PackedValues values_;
  double step_;
  const StorageCheck* check_;

  void verify_all() const;
  /// The entries of the triangle in these rows and columns, and some around them.
  void verify_rows(const Weights& rows, const Weights& columns) const;
};

}  // namespace geodome::internal
