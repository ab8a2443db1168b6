#include "geodome/baselines/smds.h"

#include "geodome/base/error.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {
namespace {

/// W in double precision, of a shape of one component.
Eigen::MatrixXd landmark_matrix(const MeasuredLandmarks& landmarks) {
  const auto size = static_cast<Index>(landmarks.order.vertices.size());
  Eigen::MatrixXd W(size, size);
  std::visit(
      [&](const auto& values) {
        const double step = landmarks.W.step.empty() ? 1 : landmarks.W.step[0];
        for (Index r = 0; r < size; ++r)
          for (Index c = 0; c <= r; ++c)
            W(r, c) = W(c, r) =
                step * static_cast<double>(values[static_cast<std::size_t>(packed_size(r) + c)]);
      },
      landmarks.W.values);
  return W;
}

}  // namespace

std::shared_ptr<const DistanceMatrix> build_smds(MethodRun& run) {
  if (run.prepared.components() != 1)
    throw InputError(
        text("the shape has ", run.prepared.components(),
             " connected components; smds supports only one, as its eigenvectors do not separate them"));
  const MeasuredLandmarks& found = run.landmarks(0);
  const auto massive = static_cast<Index>((run.laplacian().mass.array() > 0).count());
  const Index m = std::min(run.options.baseline.eigenvectors, massive);
  // Lanczos iteration holds three vectors for each that it looks for, and the result, in double precision.
  run.require_memory(8 * static_cast<std::int64_t>(m));
  const Eigenpairs& pairs = run.eigenpairs(m);
  auto matrix = run.run("factors", [&] {
    return std::make_shared<FactoredMatrix>(smds(pairs, found.order.vertices, landmark_matrix(found),
                                                 found.order.component, run.options.kind,
                                                 {m, run.options.baseline.smds_weight}));
  });
  run.count((run.vertices() + m) * m, 0, matrix->own_scaling()->workspace_bytes / 8);
  return matrix;
}

}  // namespace geodome::internal
