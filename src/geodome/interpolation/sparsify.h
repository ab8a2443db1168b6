#pragma once
/// Which entries of the interpolation operator are kept.

#include <limits>
#include <span>
#include <vector>

#include "geodome/interpolation/sparse_rows.h"

namespace geodome {

/// What separates the magnitudes that are kept from the others. Ask for one after the other, in order: of
/// those equal to the smallest kept, the first ones stay.
struct Threshold {
  float smallest = 0;
  std::size_t equal = std::numeric_limits<std::size_t>::max();  ///< how many equal to it may still stay

  bool keeps(float magnitude) {
    if (magnitude != smallest) return magnitude > smallest;
    if (equal == 0) return false;
    --equal;
    return true;
  }
};

/// For keeping the `count` largest. Reorders the magnitudes. Cost: O(#magnitudes).
Threshold threshold_for(std::vector<float>& magnitudes, std::size_t count);

/// Keeps the `count` entries of largest magnitude (ties: the smaller row), in increasing order of row.
void keep_largest(std::vector<ColumnEntry>& column, std::size_t count);

/// Columns to rows. `rows` is the number of rows of the result. Frees the columns on the way.
SparseRows assemble(std::vector<std::vector<ColumnEntry>>& columns, Index rows);

/// Keeps the `count` entries of largest magnitude in every row (ties: the smaller column).
SparseRows keep_largest_per_row(const SparseRows& matrix, Index count);

/// Scales every row that is not empty to sum one, unless its sum is so small that scaling would blow it up
/// (below a half: such a row is left as it is).
void normalise_rows(SparseRows& matrix);

struct RowSums {
  Index incomplete = 0;          ///< rows whose sum misses one by more than 1e-3
  double largest_deviation = 0;  ///< of any row that is not empty
};
RowSums row_sums(const SparseRows& matrix);

}  // namespace geodome
