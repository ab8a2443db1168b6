#include "geodome/baselines/fmds.h"

#include "geodome/matrix/root.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {
namespace {

RowMatrix<float> interpolation(MethodRun& run, const MeasuredLandmarks& found) {
  const Laplacian& operators = run.laplacian();
  if (run.options.method == Method::fmds_hard) return run.dense_interpolation(found);
  return run.run("interpolation", [&] {
    return soft_interpolation_operator(operators, found.order.vertices, found.order.cell,
                                       run.options.baseline.softening, run.execution);
  });
}

}  // namespace

std::shared_ptr<const DistanceMatrix> build_fmds(MethodRun& run) {
  const MeasuredLandmarks& found = run.landmarks(2);
  const RowMatrix<float> C = run.columns(found);
  RowMatrix<float> H = interpolation(run, found);
  const DistanceKind kind = run.options.kind;
  const bool root = run.options.baseline.square_root && kind == DistanceKind::distance;
  const std::int64_t numbers = 2 * run.vertices() * run.landmark_count();
  run.count(numbers, 0, numbers);
  auto matrix = std::make_shared<FactoredMatrix>(
      fmds({found.order, C}, std::move(H), root ? DistanceKind::squared : kind));
  if (root) return std::make_shared<RootMatrix>(std::move(matrix));
  return matrix;
}

}  // namespace geodome::internal
