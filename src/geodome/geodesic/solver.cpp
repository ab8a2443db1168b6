#include "geodome/geodesic/solver.h"

#include <algorithm>
#include <numeric>

#include "geodome/base/error.h"

namespace geodome {

using namespace internal;

RowMatrix<double> GeodesicSolver::between(std::span<const Index> sources, std::span<const Index> targets,
                                          const Execution& execution) const {
  // Enough sources to keep the threads and the batched solvers busy, few enough for the block to stay small.
  constexpr std::size_t block_numbers = std::size_t{1} << 25;
  const std::size_t block = std::clamp<std::size_t>(block_numbers / std::max<Index>(1, size()), 1, 1024);
  RowMatrix<double> result(sources.size(), targets.size());
  RowMatrix<double> rows;
  for (std::size_t begin = 0; begin < sources.size(); begin += block) {
    const std::size_t count = std::min(block, sources.size() - begin);
    rows.resize(static_cast<Eigen::Index>(count), size());
    const double done = static_cast<double>(begin) / static_cast<double>(sources.size());
    distances(sources.subspan(begin, count), rows, part_of(execution, "geodesic distances", done, done));
    for (std::size_t s = 0; s < count; ++s)
      for (std::size_t t = 0; t < targets.size(); ++t) result(begin + s, t) = rows(s, targets[t]);
    execution.report("geodesic distances",
                     static_cast<double>(begin + count) / static_cast<double>(sources.size()));
  }
  return result;
}

SomeRows GeodesicSolver::some_between(std::span<const Index> sources, std::span<const Index> targets,
                                      const Share& share, const Execution& execution) const {
  SomeRows rows;
  if (!share.has(0, 1)) return rows;
  rows.sources.resize(sources.size());
  std::iota(rows.sources.begin(), rows.sources.end(), std::size_t{0});
  rows.distances = between(sources, targets, execution);
  return rows;
}

std::vector<Neighbour> GeodesicSolver::within(Index source, double radius) const {
  RowMatrix<double> row(1, size());
  distances(std::span(&source, 1), row, Execution{1, {}});
  std::vector<Neighbour> found;
  for (Index vertex = 0; vertex < size(); ++vertex)
    if (row(0, vertex) <= radius) found.push_back({vertex, row(0, vertex)});
  std::sort(found.begin(), found.end(), [](const Neighbour& a, const Neighbour& b) {
    return std::pair(a.distance, a.vertex) < std::pair(b.distance, b.vertex);
  });
  return found;
}

}  // namespace geodome
