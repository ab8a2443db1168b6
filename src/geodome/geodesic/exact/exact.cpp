#include "geodome/geodesic/exact/exact.h"

#include <algorithm>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {

ExactSolver::ExactSolver(Surface given)
    : SurfaceSolver(std::move(given)), edges_(surface().points, surface().triangles), inputs_(surface()) {}

double ExactSolver::at_least_straight(Index source, Index vertex, double distance) const {
  return std::max(distance, (surface().points.row(source) - surface().points.row(vertex)).norm());
}

void ExactSolver::run(WindowPropagation& windows, Index source, double limit) const {
  windows.run(source, limit);
  if (!windows.counts().complete) ++incomplete_runs_;
}

void ExactSolver::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  auto windows = pool_.borrow(edges_);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    run(*windows, sources[s]);
    for (Index v = 0; v < out.cols(); ++v)
      out(static_cast<Eigen::Index>(s), v) = at_least_straight(sources[s], v, windows->distance(v));
  }
}

std::vector<Neighbour> ExactSolver::within(Index source, double radius) const {
  if (source < 0 || source >= size())
    throw InputError(text("source ", source, " is out of range [0, ", size(), ")"));
  if (!(radius >= 0)) return {};
  const Index home = surface().of_input[source];
  if (home < 0) return {{source, 0}};
  auto windows = pool_.borrow(edges_);
  run(*windows, home, radius / surface().scale);
  return inputs_.within(windows->reached(), radius, [&](Index v) {
    return surface().scale * at_least_straight(home, v, windows->distance(v));
  });
}

}  // namespace geodome::internal
