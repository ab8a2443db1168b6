#include "geodome/geodesic/choose_solver.h"

#include <algorithm>
#include <cmath>

#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/marching/carried.h"
#include "geodome/geodesic/marching/fast_marching.h"

namespace geodome::internal {
namespace {

double mean_relative_error(const GeodesicSolver& solver, const ExactRows& exact, const Surface& surface,
                           const Execution& execution) {
  const auto& of_input = surface.of_input;
  const auto n = static_cast<Index>(of_input.size());
  RowMatrix<double> row(1, n);
  double total = 0, pairs = 0;
  for (std::size_t r = 0; r < exact.sources.size(); ++r) {
    const auto source =
        static_cast<Index>(std::find(of_input.begin(), of_input.end(), exact.sources[r]) - of_input.begin());
    solver.distances(std::span(&source, 1), row, execution);
    for (Index v = 0; v < n; ++v) {
      if (of_input[v] < 0) continue;
      const double truth = surface.scale * exact.distances(static_cast<Eigen::Index>(r), of_input[v]);
      if (!std::isfinite(truth) || !std::isfinite(row(0, v)) || !(truth > 0)) continue;
      total += std::abs(row(0, v) - truth) / truth;
      ++pairs;
    }
  }
  return pairs > 0 ? total / pairs : 0;
}

}  // namespace

ChosenSolver choose_solver(const PathDomain& domain, const GeodesicOptions& options,
                           const Execution& execution, const ExactRows* exact) {
  ChosenSolver chosen;
  GeodesicOptions resolved = options;
  resolved.method = resolve_method(domain, options);
  const auto take = [&](GeodesicMethod method) {
    resolved.method = chosen.method = method;
    if (method == GeodesicMethod::fast_marching && exact != nullptr)
      chosen.solver = std::make_shared<const FastMarching>(std::get<MeshPaths>(domain.paths).surface, *exact);
    else
      chosen.solver = make_solver(domain, resolved, execution);
    if (const auto* marching = dynamic_cast<const FastMarching*>(chosen.solver.get()))
      chosen.exact_windows = marching->exact_windows();
  };
  const auto note = [&](double error) {
    chosen.tried.push_back({std::string(geodesic_method_name(chosen.method)), error});
    return error <= largest_solver_error;
  };
  take(resolved.method);
  if (options.method != GeodesicMethod::automatic || resolved.method != GeodesicMethod::fast_marching)
    return chosen;
  if (note(dynamic_cast<const FastMarching&>(*chosen.solver).mean_relative_error())) return chosen;
  const Surface& surface = std::get<MeshPaths>(domain.paths).surface;
  ExactRows own;
  if (exact == nullptr)
    exact = &(own = exact_rows(surface, rows_for_bias(static_cast<Index>(surface.points.rows()))));
  take(GeodesicMethod::carried);
  if (!note(mean_relative_error(*chosen.solver, *exact, surface, {execution.threads, {}})))
    take(GeodesicMethod::exact);
  return chosen;
}

}  // namespace geodome::internal
