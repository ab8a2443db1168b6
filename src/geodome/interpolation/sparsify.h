#pragma once
/// Which entries of the interpolation operator are kept.

#include <limits>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/interpolation/sparse_rows.h"

namespace geodome::internal {

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

/// The `count` entries of largest magnitude (ties: the earlier) of a column that has values[i] in row
/// rows[i], zeros left out, in the order they are given. Cost: O(#values), in three passes without sorting.
struct LargestEntries {
  std::vector<ColumnEntry> entries;
  float smallest = 0;  ///< magnitude; zero where there are fewer than `count`
};
LargestEntries largest_entries(std::span<const float> values, std::span<const Index> rows, std::size_t count);

/// Columns, their entries ordered by row, to rows, each row cut down to its `most` entries of largest
/// magnitude (ties: the smaller column). `rows` is the number of rows of the result. Frees the columns. With
/// a team each column is on one rank, and empty on the others; the result is the same on all.
SparseRows assemble(std::vector<std::vector<ColumnEntry>>& columns, Index rows, Index most,
                    const Execution& execution = {});

/// Scales every row that is not empty to sum one, unless its sum is so small that scaling would blow it up
/// (below a half: such a row is left as it is).
void normalise_rows(SparseRows& matrix);

struct RowSums {
  Index incomplete = 0;          ///< rows whose sum misses one by more than 1e-3
  double largest_deviation = 0;  ///< of any row that is not empty
};
RowSums row_sums(const SparseRows& matrix);

}  // namespace geodome::internal
