#include "geodome/baselines/spectrometer.h"

#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/baselines/spectrometer_matrix.h"
#include "geodome/pipeline/method_run.h"
#include "geodome/pipeline/method_table.h"

namespace geodome::internal {

std::shared_ptr<const DistanceMatrix> build_spectrometer(MethodRun& run) {
  PreparedShape& prepared = run.prepared;
  const BaselineOptions& own = run.options.baseline;
  const Laplacian& operators = run.laplacian();
  const std::vector<Index> landmarks =
      run.run("landmark", [&] { return prepared.choose_vertices(run.options.landmarks, run.execution); });
  run.summary.landmarks = static_cast<Index>(landmarks.size());
  run.set_recipe(run.summary.landmarks);
  const auto massive = static_cast<Index>((operators.mass.array() > 0).count());
  const Index m = std::min({own.eigenvectors, massive, run.summary.landmarks});
  if (m < 1) throw InputError(text("the number of eigenvectors must be at least 1, got ", own.eigenvectors));
  run.require_memory(8 * static_cast<std::int64_t>(m));
  std::vector<SpectralPart> parts;
  if (prepared.components() == 1)
    parts.push_back(spectral_part(run.eigenpairs(m), prepared.component(), m));
  else
    parts = run.run("eigenvectors", [&] {
      return spectral_parts(operators, prepared.component(), prepared.components(), m, run.execution);
    });
  auto matrix = run.run("coefficients", [&] {
    return std::make_shared<SpectrometerMatrix>(
        make_spectrometer(parts, prepared.component(), prepared.domain(), prepared.edges(), operators,
                          {landmarks, own.places}, own.heat, run.options.kind, run.execution));
  });
  run.count(2 * run.vertices() * m, 0, run.lanczos_numbers());
  return matrix;
}

}  // namespace geodome::internal
