#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_bha(MethodRun& run) {
  const MeasuredLandmarks& found = run.landmarks(1);
  run.prepared.release_domain();
  run.laplacian();
  run.dense_interpolation(found);
  const std::int64_t entries = run.vertices() * run.landmark_count();
  run.count(entries + run.landmark_count() * run.landmark_count(), 0, entries);
  MeasuredLandmarks own = run.prepared.take(found);
  return std::make_shared<DenseLandmarkMatrix>(make_dense_landmark_matrix(
      std::move(own.order), run.prepared.take_interpolation(), std::move(own.W), run.options.kind));
}

}  // namespace geodome::internal
