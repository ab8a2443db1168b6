#include "geodome/geodesic/shared_rows.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace geodome::internal {

SomeRows my_rows_of_blocks(const GeodesicSolver& solver, const std::vector<std::span<const Index>>& blocks,
                           std::span<const Index> targets, const Team& team, const Execution& execution,
                           double first_share) {
  std::size_t all_sources = 0;
  for (const std::span<const Index> block : blocks) all_sources += block.size();
  // Where the part of a rank begins, as a part of a block: the same number on the rank before, whose part
  // ends there.
  const auto boundary = [&](int rank, std::size_t begin, std::size_t size) {
    const double part = first_share < 0 || rank == 0 || rank == team.size()
                            ? static_cast<double>(rank) / team.size()
                            : first_share + (1 - first_share) * (rank - 1) / (team.size() - 1);
    const double source = static_cast<double>(all_sources) * part;
    return std::clamp((source - static_cast<double>(begin)) / static_cast<double>(size), 0.0, 1.0);
  };
  std::vector<SomeRows> found;
  std::vector<std::size_t> begins;
  std::size_t begin = 0, rows = 0;
  for (const std::span<const Index> block : blocks) {
    const Share share{boundary(team.rank(), begin, block.size()),
                      boundary(team.rank() + 1, begin, block.size())};
    if (share.end > share.begin) {
      SomeRows some = solver.some_between(block, targets, share, execution);
      if (!some.sources.empty()) {
        rows += some.sources.size();
        found.push_back(std::move(some));
        begins.push_back(begin);
      }
    }
    begin += block.size();
  }
  if (found.size() == 1) {
    for (std::size_t& source : found[0].sources) source += begins[0];
    return std::move(found[0]);
  }
  SomeRows all;
  all.distances.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(targets.size()));
  for (std::size_t k = 0; k < found.size(); ++k) {
    all.distances.middleRows(static_cast<Eigen::Index>(all.sources.size()), found[k].distances.rows()) =
        found[k].distances;
    for (const std::size_t source : found[k].sources) all.sources.push_back(begins[k] + source);
  }
  return all;
}

RowMatrix<double> shared_between(const GeodesicSolver& solver, std::span<const Index> sources,
                                 std::span<const Index> targets, const Execution& execution,
                                 double first_share) {
  const Team* team = team_of(execution);
  if (team == nullptr) return solver.between(sources, targets, execution);
  std::vector<Index> all(targets.size());
  std::iota(all.begin(), all.end(), 0);
  return exchange_columns<double>(
      *team, sources.size(), my_rows_of_blocks(solver, {sources}, targets, *team, execution, first_share),
      std::vector(static_cast<std::size_t>(team->size()), all));
}

}  // namespace geodome::internal
