#include "geodome/evaluation/spot_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "geodome/base/error.h"
#include "geodome/base/random_unit.h"
#include "geodome/geodesic/shared_rows.h"

namespace geodome::internal {
namespace {

constexpr double worst_mean = 0.05, worst_share = 1e-4;

/// Distinct vertices at random, increasing.
std::vector<Index> choose(std::span<const Index> component, Index count, std::uint64_t seed) {
  std::vector<Index> all;
  for (std::size_t v = 0; v < component.size(); ++v)
    if (component[v] >= 0) all.push_back(static_cast<Index>(v));
  std::mt19937_64 generator(seed);
  const std::size_t kept = std::min(all.size(), static_cast<std::size_t>(std::max<Index>(count, 0)));
  for (std::size_t k = 0; k < kept; ++k)
    std::swap(
        all[k],
        all[k + static_cast<std::size_t>(random_unit(generator) * static_cast<double>(all.size() - k))]);
  all.resize(kept);
  std::sort(all.begin(), all.end());
  return all;
}

}  // namespace

SpotRows measure_spot_rows(const GeodesicSolver& solver, std::span<const Index> component, Index count,
                           std::uint64_t seed, const Execution& execution, double first_share) {
  SpotRows rows{choose(component, count, seed), {}};
  const Execution checking{execution.threads,
                           [&](std::string_view, double fraction) {
                             return !execution.progress || execution.progress("check", fraction);
                           },
                           execution.team};
  RowMatrix<double> measured(static_cast<Eigen::Index>(rows.vertices.size()), solver.size());
  if (team_of(execution) != nullptr) {
    std::vector<Index> all(static_cast<std::size_t>(solver.size()));
    std::iota(all.begin(), all.end(), 0);
    measured = shared_between(solver, rows.vertices, all, checking, first_share);
  } else {
    solver.distances(rows.vertices, measured, checking);
  }
  rows.distances = measured.cast<float>();
  return rows;
}

SpotCheck check_spots(const DistanceMatrix& distances, const SpotRows& rows, const Execution& execution) {
  if (rows.distances.cols() != distances.size() && !rows.vertices.empty())
    throw InputError(text("rows of ", rows.distances.cols(), " distances for a matrix of ", distances.size(),
                          " vertices"));
  SpotCheck check;
  const RowMatrix<double> found = distances.rows(rows.vertices, execution);
  const bool squared = distances.kind() == DistanceKind::squared;
  double total = 0, pairs = 0, beyond = 0;
  for (Eigen::Index r = 0; r < found.rows(); ++r)
    for (Eigen::Index v = 0; v < found.cols(); ++v) {
      const double truth = static_cast<double>(rows.distances(r, v));
      const double entry = std::max(0.0, found(r, v));
      const double model = squared ? std::sqrt(entry) : entry;
      if (v == rows.vertices[static_cast<std::size_t>(r)] || !std::isfinite(truth) || !(truth > 0)) continue;
      total += std::abs(model - truth) / truth;
      ++pairs;
      const double ratio = std::max(model, truth) / std::min(model, truth);
      check.largest_ratio = std::max(check.largest_ratio, ratio);
      if (!(ratio > worst_ratio)) continue;
      ++beyond;
      check.ratio_distance = std::max(check.ratio_distance, truth);
    }
  check.rows = static_cast<Index>(found.rows());
  check.mean_relative_error = pairs > 0 ? total / pairs : 0;
  check.ratio_share = pairs > 0 ? beyond / pairs : 0;
  return check;
}

std::vector<std::string> spot_warnings(const SpotCheck& check) {
  std::vector<std::string> warnings;
  if (check.ratio_share > worst_share)
    warnings.push_back(text("distances of pairs up to ", check.ratio_distance,
                            " apart are wrong by a factor of up to ", check.largest_ratio, " (",
                            100 * check.ratio_share, " % of the pairs in ", check.rows,
                            " rows by more than 3): use more landmarks"));
  if (!(check.mean_relative_error <= worst_mean))
    warnings.push_back(text("the mean relative error of ", check.rows, " rows is ",
                            100 * check.mean_relative_error, " %: use more landmarks"));
  return warnings;
}

}  // namespace geodome::internal
