#pragma once
/// All rows of distances, some at a time: what every export of the whole matrix goes through.

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// Calls `take` with the rows of `vertices`, in order, a block at a time. Progress is told as "export".
/// Memory: at most 64 rows, and never much more than 128 MB.
inline void for_each_row_block(const DistanceMatrix& distances, std::span<const Index> vertices,
                               const Execution& execution,
                               const std::function<void(std::span<const Index>, RowMatrix<double>&)>& take) {
  constexpr std::size_t most = 64, numbers = std::size_t{1} << 24;
  const auto size = static_cast<std::size_t>(std::max<Index>(1, distances.size()));
  const std::size_t block = std::clamp<std::size_t>(numbers / size, 1, most);
  const Execution silent{execution.threads, {}};
  for (std::size_t begin = 0; begin < vertices.size(); begin += block) {
    const auto some = vertices.subspan(begin, std::min(block, vertices.size() - begin));
    RowMatrix<double> rows = distances.rows(some, silent);
    take(some, rows);
    execution.report("export",
                     static_cast<double>(begin + some.size()) / static_cast<double>(vertices.size()));
  }
}

inline std::vector<Index> all_vertices(const DistanceMatrix& distances) {
  std::vector<Index> all(static_cast<std::size_t>(distances.size()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

}  // namespace geodome::internal
