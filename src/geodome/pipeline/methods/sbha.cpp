#include "geodome/pipeline/methods/sbha.h"

#include "geodome/interpolation/operator.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

SparseBuild build_sparse(MethodRun& run, std::int64_t columns_per_landmark) {
  PreparedShape& prepared = run.prepared;
  const BuildOptions& options = run.options;
  if (options.landmarks.method != LandmarkMethod::user)
    run.require_memory(columns_per_landmark * options.landmarks.count);
  const ChosenLandmarks& chosen = run.choose();
  run.require_memory(columns_per_landmark * run.landmark_count());
  if (columns_per_landmark == 0) prepared.release_domain();
  const Laplacian& operators = run.laplacian();
  // The factorisation has no use for a second thread, so the distances have it meanwhile. Should one of the
  // landmarks be replaced it was in vain, which is rare.
  const auto solver_for = [&](const OrderedLandmarks& order) {
    return std::make_unique<InterpolationSolver>(operators, order.vertices, order.cell,
                                                 options.interpolation);
  };
  std::unique_ptr<InterpolationSolver> solver;
  const MeasuredLandmarks& found = run.measure_beside(chosen, [&] { solver = solver_for(chosen.order); });
  Interpolation interpolation = run.run("interpolation", [&] {
    if (solver->landmarks() != found.order.vertices) solver = solver_for(found.order);
    return solver->solve(run.execution);
  });
  solver.reset();
  run.summary.interpolation = interpolation.summary;
  run.note(run.run("interpolation", [&] {
    return bound_rows(interpolation.P, found.order, found.W, prepared.edges(), run.execution);
  }));
  const bool last = columns_per_landmark == 0;
  MeasuredLandmarks own = last ? prepared.take(found) : found;
  SparseLandmarkMatrix matrix = run.run("pack", [&] {
    return make_sparse_landmark_matrix(std::move(own.order), interpolation.P, std::move(own.W), options.kind,
                                       weight_precision(options.precision));
  });
  run.summary.nonzeros = matrix.nonzeros();
  return {last ? nullptr : &found, std::move(matrix)};
}

std::shared_ptr<const DistanceMatrix> build_sbha(MethodRun& run) {
  auto matrix = std::make_shared<SparseLandmarkMatrix>(build_sparse(run, 0).matrix);
  const std::int64_t nonzeros = run.summary.nonzeros;
  run.count(nonzeros + run.landmark_count() * run.landmark_count(), nonzeros, run.lanczos_numbers());
  return matrix;
}

}  // namespace geodome::internal
