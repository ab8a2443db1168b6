#pragma once
/// Rows of a solver that the ranks of a team measure together.

#include <span>
#include <vector>

#include "geodome/base/team.h"
#include "geodome/geodesic/solver.h"

namespace geodome::internal {

/// Blocks of sources that are measured one by one, and which parts of which blocks this rank takes: of all
/// blocks, one after the other, each rank has a part with as many sources, to within a group that the solver
/// measures together. The rows of a block have the numbers that `between` gives for the block alone.
///
/// Rank 0 takes `first_share` of all sources unless that is negative: it may have other work.
///
/// Sources are counted through all blocks. Does not communicate.
SomeRows my_rows_of_blocks(const GeodesicSolver& solver, const std::vector<std::span<const Index>>& blocks,
                           std::span<const Index> targets, const Team& team, const Execution& execution,
                           double first_share = -1);

/// Of `rows` rows of which every rank has measured some, the columns that each rank wants: `wanted[r]` for
/// rank r, the same lists on all ranks. The result is `rows` by the columns of this rank.
template <typename Scalar>
RowMatrix<Scalar> exchange_columns(const Team& team, std::size_t rows, const SomeRows& mine,
                                   const std::vector<std::vector<Index>>& wanted) {
  std::vector<Bytes> to;
  std::vector<Scalar> some;
  for (const std::vector<Index>& columns : wanted) {
    BytesWriter writer;
    writer.put(columns.empty() ? 0 : mine.sources.size());
    for (std::size_t k = 0; k < mine.sources.size() && !columns.empty(); ++k) {
      const auto row = mine.distances.row(static_cast<Eigen::Index>(k));
      some.clear();
      for (const Index column : columns) some.push_back(static_cast<Scalar>(row[column]));
      writer.put(mine.sources[k]);
      writer.put_all(std::span<const Scalar>(some));
    }
    to.push_back(writer.take());
  }
  const auto columns = static_cast<Eigen::Index>(wanted[static_cast<std::size_t>(team.rank())].size());
  RowMatrix<Scalar> result(static_cast<Eigen::Index>(rows), columns);
  for (const Bytes& bytes : team.exchange(std::move(to))) {
    BytesReader reader(bytes);
    for (std::size_t left = reader.get<std::size_t>(); left > 0; --left) {
      const auto row = static_cast<Eigen::Index>(reader.get<std::size_t>());
      reader.get_all(std::span(result.row(row).data(), static_cast<std::size_t>(columns)));
    }
  }
  return result;
}

/// `between`, measured by all ranks where there is a team, and known to all of them afterwards. `first_share`
/// as above.
RowMatrix<double> shared_between(const GeodesicSolver& solver, std::span<const Index> sources,
                                 std::span<const Index> targets, const Execution& execution,
                                 double first_share = -1);

}  // namespace geodome::internal
