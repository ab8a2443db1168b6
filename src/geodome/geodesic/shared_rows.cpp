#include "geodome/geodesic/shared_rows.h"

#include <algorithm>
#include <numeric>

namespace geodome::internal {

SomeRows my_rows_of_blocks(const GeodesicSolver& solver, const std::vector<std::span<const Index>>& blocks,
                           std::span<const Index> targets, const Team& team, const Execution& execution) {
  const auto ranks = static_cast<std::size_t>(team.size()), rank = static_cast<std::size_t>(team.rank());
  // The ranks of block b are those from b · ranks / blocks to the next; with more blocks than ranks, a rank
  // has several.
  std::vector<SomeRows> found;
  std::vector<std::size_t> begins;
  std::size_t begin = 0, rows = 0;
  for (std::size_t b = 0; b < blocks.size(); begin += blocks[b].size(), ++b) {
    const std::size_t first = b * ranks / blocks.size();
    const std::size_t last = std::max(first + 1, (b + 1) * ranks / blocks.size());
    if (rank < first || rank >= last) continue;
    const Share share{static_cast<int>(rank - first), static_cast<int>(last - first)};
    found.push_back(solver.some_between(blocks[b], targets, share, execution));
    begins.push_back(begin);
    rows += found.back().sources.size();
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
                                 std::span<const Index> targets, const Execution& execution) {
  const Team* team = team_of(execution);
  if (team == nullptr) return solver.between(sources, targets, execution);
  std::vector<Index> all(targets.size());
  std::iota(all.begin(), all.end(), 0);
  return exchange_columns<double>(*team, sources.size(),
                                  my_rows_of_blocks(solver, {sources}, targets, *team, execution),
                                  std::vector(static_cast<std::size_t>(team->size()), all));
}

}  // namespace geodome::internal
