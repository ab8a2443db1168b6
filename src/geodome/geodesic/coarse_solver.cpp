#include "geodome/geodesic/coarse_solver.h"

#include <algorithm>

namespace geodome::internal {

const GeodesicSolver& CoarseSolver::full(const Execution& execution) const {
  const std::scoped_lock lock(mutex_);
  if (!full_) full_ = make_full_({execution.threads, {}});
  return *full_;
}

const GeodesicSolver& CoarseSolver::solver_for(std::span<const Index> sources, std::span<const Index> targets,
                                               const Execution& execution) const {
  // Numbers out of range are for a solver to complain about.
  const std::vector<Index>& of_input = coarse_->surface().of_input;
  const auto has = [&](Index v) {
    return v >= 0 && v < static_cast<Index>(of_input.size()) && of_input[v] >= 0;
  };
  const bool coarse =
      std::all_of(sources.begin(), sources.end(), has) && std::all_of(targets.begin(), targets.end(), has);
  return coarse ? *coarse_ : full(execution);
}

}  // namespace geodome::internal
