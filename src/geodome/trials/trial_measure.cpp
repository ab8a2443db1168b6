#include "geodome/trials/trial_measure.h"

#include <algorithm>
#include <cmath>
#include <ctime>

#include "geodome/base/error.h"
#include "geodome/base/format.h"
#include "geodome/base/platform.h"
#include "geodome/base/stopwatch.h"
#include "geodome/embedding/embedding.h"
#include "geodome/embedding/stress.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/query.h"
#include "geodome/pipeline/build.h"

namespace geodome::internal {
namespace {

PrepareOptions prepare_options(const TrialPlan& plan, GeodesicMethod geodesic) {
  PrepareOptions options;
  options.geodesic.method = geodesic;
  options.distances = plan.distances;
  options.seed = plan.seed;
  options.keep_rows = !plan.alone;
  options.row_bound = plan.memory_bound;
  return options;
}

/// Of this process, all threads together.
double processor_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// Large entries of P in the row of a vertex that is no landmark, on average.
double large_weights(const LandmarkMatrix& form) {
  std::vector<char> landmark(static_cast<std::size_t>(form.size()));
  for (const Index vertex : form.landmarks()) landmark[static_cast<std::size_t>(vertex)] = 1;
  std::int64_t rows = 0, large = 0;
  Weights row;
  for (Index vertex = 0; vertex < form.size(); ++vertex) {
    if (landmark[static_cast<std::size_t>(vertex)] || form.component(vertex) < 0) continue;
    form.read_weights(vertex, row);
    ++rows;
    large += std::count_if(row.value.begin(), row.value.end(),
                           [](double weight) { return std::abs(weight) > large_weight; });
  }
  return rows > 0 ? static_cast<double>(large) / static_cast<double>(rows) : unmeasured;
}

}  // namespace

TrialBench::TrialBench(const Shape& shape, const TrialPlan& plan, GeodesicMethod geodesic,
                       const Execution& execution)
    : plan_(plan),
      prepared_(shape, prepare_options(plan, geodesic), execution),
      truth_(prepared_.solver(execution), plan.memory_bound) {
  if (prepared_.unit() != 1)
    throw InputError(
        "comparing methods requires a size of the shape in [1e-9, 1e9]: use another unit of length");
  const std::vector<Index> rows = sample_rows(prepared_.size(), plan.rows, plan.seed);
  const double bytes = 4.0 * static_cast<double>(rows.size()) * prepared_.size();
  if (bytes > static_cast<double>(plan.memory_bound))
    throw InputError(text(rows.size(), " rows of ", prepared_.size(), " distances require ",
                          byte_count(static_cast<std::int64_t>(bytes)),
                          ": measure errors on fewer rows, or allow more memory"));
  const Stopwatch clock;
  truth_.measure(rows, execution);
  truth_seconds_ = clock.seconds();
}

BuildOptions TrialBench::options_for(Method method, const Trial& trial) const {
  BuildOptions options;
  options.method = method;
  options.distances = plan_.distances;
  options.landmarks.method = plan_.landmark_method;
  options.landmarks.count = trial.landmarks;
  options.landmarks.seed = plan_.seed + static_cast<std::uint64_t>(trial.repeat);
  if (trial.nonzeros > 0) options.interpolation.nonzeros = trial.nonzeros;
  options.interpolation.sparsity = plan_.sparsity;
  options.baseline = plan_.baseline;
  options.baseline.dimensions = plan_.dimensions;
  options.memory_bound = plan_.memory_bound;
  options.certificate_rows = options.check_rows = 0;  // errors are measured on more rows
  return options;
}

void TrialBench::measure_error_of(const DistanceMatrix& matrix, Trial& trial,
                                  const Execution& execution) const {
  ErrorOptions options;
  options.rows = plan_.rows;
  options.seed = plan_.seed;
  const ErrorReport report = measure_error(matrix, truth_, options, execution);
  trial.relative_error = report.relative_error;
  trial.mean_relative_error = report.mean_relative_error;
  trial.p99_relative_error = report.p99_relative_error;
}

void TrialBench::measure_stress(const DistanceMatrix& squared, Trial& trial, const Execution& execution) {
  EmbeddingOptions options;
  options.dimensions = plan_.dimensions;
  options.seed = plan_.seed;
  options.memory_bound = plan_.memory_bound;
  options.method = ScalingMethod::automatic;
  const double begin = processor_seconds();
  const Stopwatch clock;
  const Embedding form = embed(squared, options, execution);
  trial.stages.emplace_back("scaling", clock.seconds());
  trial.cpu_seconds += processor_seconds() - begin;
  trial.seconds += trial.stages.back().second;
  StressOptions how;
  how.rows = std::max<Index>(2, plan_.rows);
  how.seed = plan_.seed;
  // Where all rows are requested, all are used; and where the shape is so small that they cost nothing.
  if (plan_.rows == 0) how.exact_up_to = prepared_.size();
  how.memory_bound = plan_.memory_bound;
  const Stress found = stress(form.Z, form.component, squared_rows(truth_, execution), how);
  trial.stress = found.value;
  trial.normalised_stress = found.normalised;
}

void TrialBench::measure(Method method, Trial& trial, const Execution& execution) {
  if (plan_.alone || trial.repeat != repeat_) prepared_.forget();
  if (plan_.alone) prepared_.forget_operators();
  repeat_ = trial.repeat;
  BuildOptions options = options_for(method, trial);
  reset_peak_memory();
  const std::int64_t before = peak_memory();
  const Execution building = part_of(execution, "building", 0, 0.5);
  const double begin = processor_seconds();
  Build built = build_matrix(prepared_, options, building);
  if (plan_.alone) trial.cpu_seconds = processor_seconds() - begin;
  trial.peak_bytes = std::max<std::int64_t>(0, built.summary.peak_bytes - before);
  trial.bytes = built.summary.bytes;
  trial.reference_bytes = built.summary.reference_bytes;
  trial.workspace_bytes = built.summary.workspace_bytes;
  for (const BuildStage& stage : built.summary.stages) {
    trial.stages.emplace_back(stage.name, stage.seconds);
    trial.seconds += stage.seconds;
  }
  measure_error_of(*built.matrix, trial, part_of(execution, "evaluation", 0.5, 0.7));
  if (const LandmarkMatrix* factors = built.matrix->landmark_matrix(); factors != nullptr && factors->dense())
    trial.large_weights = large_weights(*factors);
  if (!plan_.stress) return;
  const Execution scaling = part_of(execution, "scaling", 0.7, 1);
  std::shared_ptr<const DistanceMatrix> squared = squared_matrix(built.matrix);
  if (squared == nullptr) {
    built = {};  // before the other takes as much memory
    options.kind = DistanceKind::squared;
    squared = build_matrix(prepared_, options, Execution{execution.threads, execution.progress}).matrix;
  }
  measure_stress(*squared, trial, scaling);
}

}  // namespace geodome::internal
