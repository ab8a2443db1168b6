#include "geodome/comparison/correspondence.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"
#include "geodome/base/threads.h"

namespace geodome::internal {

std::vector<Index> correspondence(const Eigen::Ref<const RowMatrix<double>>& moved, const PointTree& tree,
                                  const Execution& execution) {
  std::vector<Index> matches(static_cast<std::size_t>(moved.rows()));
  constexpr std::size_t together = 1024;
  parallel_for((matches.size() + together - 1) / together, execution, {}, [&](std::size_t item, int) {
    const std::size_t end = std::min(matches.size(), (item + 1) * together);
    for (std::size_t v = item * together; v < end; ++v)
      matches[v] = tree.nearest(moved.row(static_cast<Eigen::Index>(v)).data()).point;
  });
  return matches;
}

CorrespondenceError correspondence_error(const std::vector<Index>& matches, const GeodesicSolver& solver,
                                         Index sample, std::uint64_t seed, const Execution& execution) {
  if (matches.size() != static_cast<std::size_t>(solver.size()))
    throw InputError(text("the correspondence has ", matches.size(), " vertices, but the other shape has ",
                          solver.size()));
  std::vector<Index> chosen(matches.size());
  std::iota(chosen.begin(), chosen.end(), 0);
  const auto count =
      std::min<std::size_t>(chosen.size(), static_cast<std::size_t>(std::max<Index>(0, sample)));
  std::mt19937_64 generator(seed);
  for (std::size_t k = 0; k < count; ++k)
    std::swap(chosen[k], chosen[k + static_cast<std::size_t>(random_unit(generator) *
                                                             static_cast<double>(chosen.size() - k))]);
  chosen.resize(count);
  CorrespondenceError result;
  std::vector<double> errors;
  constexpr std::size_t together = 64;
  for (std::size_t begin = 0; begin < count; begin += together) {
    const auto some = std::span(chosen).subspan(begin, std::min(together, count - begin));
    RowMatrix<double> rows(static_cast<Eigen::Index>(some.size()), solver.size());
    solver.distances(some, rows, execution);
    for (std::size_t i = 0; i < some.size(); ++i) {
      const auto row = rows.row(static_cast<Eigen::Index>(i));
      errors.push_back(row[matches[some[i]]]);
      for (const double d : row)
        if (std::isfinite(d)) result.extent = std::max(result.extent, d);
    }
  }
  result.points = static_cast<Index>(errors.size());
  if (errors.empty() || !(result.extent > 0)) return result;
  std::sort(errors.begin(), errors.end());
  result.mean =
      std::accumulate(errors.begin(), errors.end(), 0.0) / static_cast<double>(count) / result.extent;
  result.median = errors[count / 2] / result.extent;
  result.p90 = errors[count * 9 / 10] / result.extent;
  return result;
}

}  // namespace geodome::internal
