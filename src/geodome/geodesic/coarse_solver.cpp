#include "geodome/geodesic/coarse_solver.h"

#include <algorithm>

namespace geodome::internal {

const FastMarching& CoarseSolver::coarse(const Execution& execution) const {
  const std::scoped_lock lock(mutex_);
  if (!coarse_) coarse_ = make_coarse_({execution.threads, {}});
  return *coarse_;
}

const GeodesicSolver& CoarseSolver::full(const Execution& execution) const {
  const std::scoped_lock lock(mutex_);
  if (!full_) full_ = make_full_({execution.threads, {}});
  return *full_;
}

const GeodesicSolver& CoarseSolver::solver_for(std::span<const Index> sources, std::span<const Index> targets,
                                               const Execution& execution) const {
  // Numbers out of range are for a solver to complain about.
  const FastMarching& marching = coarse(execution);
  const std::vector<Index>& of_input = marching.surface().of_input;
  const auto has = [&](Index v) {
    return v >= 0 && v < static_cast<Index>(of_input.size()) && of_input[v] >= 0;
  };
  const bool on_coarse =
      std::all_of(sources.begin(), sources.end(), has) && std::all_of(targets.begin(), targets.end(), has);
  return on_coarse ? marching : full(execution);
}

}  // namespace geodome::internal
