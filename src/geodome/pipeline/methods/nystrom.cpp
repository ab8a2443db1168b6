#include "geodome/baselines/nystrom.h"

#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_nystrom(MethodRun& run) {
  const MeasuredLandmarks& found = run.landmarks(1);
  const RowMatrix<float> C = run.columns(found);
  const double cut =
      run.options.method == Method::nystrom_truncated ? run.options.baseline.truncation : plain_nystrom_cut;
  auto matrix = run.run("factors", [&] {
    return std::make_shared<FactoredMatrix>(nystrom({found.order, C}, run.options.kind, cut, run.execution));
  });
  run.count((run.vertices() + run.landmark_count()) * run.landmark_count(), 0,
            matrix->own_scaling()->workspace_bytes / 8);
  return matrix;
}

}  // namespace geodome::internal
