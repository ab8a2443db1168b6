#include "geodome/matrix/packed_full_matrix.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_exact(MethodRun& run) {
  const GeodesicSolver& solver = run.prepared.solver(run.execution);
  run.record("solver", run.prepared.domain_seconds() + run.prepared.solver_seconds());
  std::vector<float> values =
      run.run("geodesic", [&] { return packed_distances(solver, run.options.memory_bound, run.execution); });
  run.count(run.vertices() * run.vertices(), 0, run.lanczos_numbers());
  return std::make_shared<PackedFullMatrix>(run.prepared.size(), std::move(values), run.options.kind);
}

}  // namespace geodome::internal
