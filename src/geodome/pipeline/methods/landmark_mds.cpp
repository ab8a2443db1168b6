#include "geodome/baselines/landmark_mds.h"

#include "geodome/baselines/points.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_landmark_mds(MethodRun& run) {
  const MeasuredLandmarks& found = run.landmarks(1);
  const RowMatrix<float> C = run.columns(found);
  const LandmarkColumns measured{found.order, C};
  const bool pivot = run.options.method == Method::pivot;
  const Index dimensions = run.options.baseline.dimensions;
  const Embedding form = run.run("points", [&] {
    return pivot ? pivot_mds(measured, dimensions, run.execution)
                 : landmark_mds(measured, dimensions, run.execution);
  });
  // Landmark MDS can place one point at a time: it needs the landmarks alone.
  const std::int64_t landmarks = run.landmark_count();
  run.count(run.vertices() * dimensions, 0, landmarks * landmarks + (pivot ? run.vertices() * landmarks : 0));
  return std::make_shared<PointMatrix>(form.Z.cast<float>(), measured.labels(), run.options.kind);
}

}  // namespace geodome::internal
