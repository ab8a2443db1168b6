#pragma once
/// Which entries of the interpolation operator are kept.

#include <span>
#include <vector>

#include "geodome/interpolation/sparse_rows.h"

namespace geodome {

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
