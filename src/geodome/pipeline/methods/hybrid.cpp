#include "geodome/baselines/hybrid.h"

#include "geodome/pipeline/method_table.h"
#include "geodome/pipeline/methods/sbha.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_hybrid(MethodRun& run) {
  SparseBuild base = build_sparse(run, 1);
  const Index wanted =
      run.options.baseline.columns < 0 ? run.summary.landmarks : run.options.baseline.columns;
  const RowMatrix<float> C = run.columns(*base.landmarks);
  auto matrix = run.run("residues", [&] {
    return std::make_shared<HybridMatrix>(
        make_hybrid_matrix(std::move(base.matrix), {base.landmarks->order, C}, wanted, run.execution));
  });
  const std::int64_t nonzeros = run.summary.nonzeros;
  const auto kept = static_cast<std::int64_t>(matrix->columns().landmark.size());
  run.count(nonzeros + run.landmark_count() * run.landmark_count() + run.vertices() * kept, nonzeros + kept,
            run.lanczos_numbers());
  return matrix;
}

}  // namespace geodome::internal
