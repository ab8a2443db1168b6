#include "geodome/pipeline/methods/sbha.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <variant>

#include "geodome/base/team.h"
#include "geodome/interpolation/operator.h"
#include "geodome/interpolation/thinned_samples.h"
#include "geodome/pipeline/method_table.h"
#include "geodome/pipeline/operators.h"
#include "geodome/pipeline/plan.h"

namespace geodome::internal {

namespace {

/// `values` (#V) at the kept vertices.
std::vector<Index> at_kept(const std::vector<Index>& values, const std::vector<Index>& kept) {
  std::vector<Index> result;
  result.reserve(kept.size());
  for (const Index vertex : kept) result.push_back(values[static_cast<std::size_t>(vertex)]);
  return result;
}

/// P for some landmarks, solved for on all vertices or on some of the samples.
class RowSolver {
 public:
  RowSolver(MethodRun& run, const OrderedLandmarks& landmarks) : landmarks_(landmarks.vertices) {
    if (const auto* samples = std::get_if<Samples>(&run.prepared.shape());
        samples && thins_samples(run.prepared.size(), run.landmark_count(), run.options.interpolation))
      thin(run, *samples, landmarks);
    else
      whole_ = &run.laplacian();
  }

  const std::vector<Index>& landmarks() const { return landmarks_; }

  /// What one thread does by itself.
  void prepare(const OrderedLandmarks& landmarks, const InterpolationOptions& options,
               InterpolationSolver::Factor factor = InterpolationSolver::Factor::own) {
    if (whole_) {
      solver_ =
          std::make_unique<InterpolationSolver>(*whole_, landmarks.vertices, landmarks.cell, options, factor);
      return;
    }
    std::vector<Index> positions;
    for (const Index vertex : landmarks_)
      positions.push_back(
          static_cast<Index>(std::lower_bound(kept_.begin(), kept_.end(), vertex) - kept_.begin()));
    solver_ = std::make_unique<InterpolationSolver>(thinned_, std::move(positions),
                                                    at_kept(landmarks.cell, kept_), options, factor);
  }

  InterpolationSolver& solver() { return *solver_; }

  Interpolation solve(const MethodRun& run, const OrderedLandmarks& landmarks, const Execution& execution) {
    Interpolation result = solver_->solve(execution);
    if (whole_) return result;
    auto [P, sums] =
        extend_rows(result.P, kept_, std::get<Samples>(run.prepared.shape()).values, run.prepared.edges(),
                    landmarks.cell, run.options.interpolation.nonzeros, execution);
    result.P = std::move(P);
    result.summary.incomplete_rows += sums.incomplete;
    result.summary.largest_row_deviation =
        std::max(result.summary.largest_row_deviation, sums.largest_deviation);
    return result;
  }

 private:
  void thin(MethodRun& run, const Samples& samples, const OrderedLandmarks& landmarks) {
    thinned_ = run.run("laplacian", [&] {
      kept_ = thinned_samples(run.prepared.edges(), landmarks);
      Samples some;
      some.values.resize(static_cast<Eigen::Index>(kept_.size()), samples.values.cols());
      for (std::size_t i = 0; i < kept_.size(); ++i)
        some.values.row(static_cast<Eigen::Index>(i)) = samples.values.row(kept_[i]);
      LaplacianOptions options = run.prepared.options().laplacian;
      options.perplexity = thinned_perplexity(options.perplexity);
      return laplacian_within(std::move(some), {}, at_kept(landmarks.component, kept_), options,
                              run.execution);
    });
  }

  std::vector<Index> landmarks_;
  const Laplacian* whole_ = nullptr;
  std::vector<Index> kept_;  ///< increasing
  Laplacian thinned_;        ///< of those
  std::unique_ptr<InterpolationSolver> solver_;
};

/// The part of W that rank 0 measures where it factors P for all ranks at the same time: nothing where the
/// others have measured W before it has solved for the columns, which are shared then. None where each rank
/// factors what it needs.
std::optional<double> share_beside_P(const MethodRun& run) {
  const Team* team = team_of(run.execution);
  const auto landmarks = static_cast<Index>(run.landmark_count());
  if (team == nullptr || !run.options.measures() ||
      !has_one_factor(run.prepared.size(), landmarks, run.options.interpolation))
    return {};
  double W = 0, P = 0;
  BuildOptions options = run.options;
  options.landmarks.count = landmarks;
  for (const auto& [stage, seconds] : plan_build(run.prepared.shape(), options, {1, {}}).stages) {
    if (stage == "geodesic") W = seconds;
    if (stage == "interpolation") P = seconds;
  }
  return W > 0 ? std::max(0.0, ((W + P) / team->size() - P) / W) : 0;
}

}  // namespace

SparseBuild build_sparse(MethodRun& run, std::int64_t columns_per_landmark) {
  PreparedShape& prepared = run.prepared;
  const BuildOptions& options = run.options;
  if (options.landmarks.method != LandmarkMethod::user)
    run.require_memory(columns_per_landmark * options.landmarks.count);
  const ChosenLandmarks& chosen = run.choose();
  run.require_memory(columns_per_landmark * run.landmark_count());
  if (columns_per_landmark == 0) prepared.release_domain();
  // The factorisation has no use for a second thread, so the distances have it meanwhile. Should one of the
  // landmarks be replaced it was in vain, which is rare.
  auto solver = std::make_unique<RowSolver>(run, chosen.order);
  const std::optional<double> first_share = share_beside_P(run);
  const Team* team = first_share ? team_of(run.execution) : nullptr;
  const bool factors = team == nullptr || team->rank() == 0;
  if (!factors) solver->prepare(chosen.order, options.interpolation, InterpolationSolver::Factor::of_rank_0);
  const auto beside = [&](const std::function<bool()>& is_measured) {
    if (!factors) return;
    solver->prepare(chosen.order, options.interpolation);
    if (team != nullptr) solver->solver().solve_until(is_measured, {run.execution.threads, {}});
  };
  const MeasuredLandmarks& found = run.measure_beside(chosen, beside, first_share.value_or(-1));
  const bool replaced = solver->landmarks() != found.order.vertices;
  if (replaced) {
    solver = std::make_unique<RowSolver>(run, found.order);
    run.run("interpolation", [&] {
      solver->prepare(found.order, options.interpolation);
      return 0;
    });
  }
  Interpolation interpolation = run.run("interpolation", [&] {
    if (team != nullptr && !replaced) solver->solver().share(*team);
    return solver->solve(run, found.order, run.execution);
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
