#pragma once
/// A sparse matrix by rows: what the interpolation operator P is kept in.

#include <cstdint>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Row r has the columns column[begin[r] .. begin[r + 1]), increasing, and the values beside them.
struct SparseRows {
  Index columns = 0;
  std::vector<std::int64_t> begin{0};  ///< #rows + 1
  std::vector<Index> column;
  std::vector<float> value;

  Index rows() const { return static_cast<Index>(begin.size()) - 1; }
  std::int64_t nonzeros() const { return begin.back(); }
};

/// One entry of a column of P while it is being computed.
struct ColumnEntry {
  Index row = 0;
  float value = 0;
};

}  // namespace geodome::internal
