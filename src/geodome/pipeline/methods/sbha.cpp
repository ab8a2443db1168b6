#include "geodome/pipeline/methods/sbha.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>

#include "geodome/interpolation/operator.h"
#include "geodome/interpolation/thinned_samples.h"
#include "geodome/pipeline/method_table.h"
#include "geodome/pipeline/operators.h"

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
  void factor(const OrderedLandmarks& landmarks, const InterpolationOptions& options) {
    if (whole_) {
      solver_ = std::make_unique<InterpolationSolver>(*whole_, landmarks.vertices, landmarks.cell, options);
      return;
    }
    std::vector<Index> positions;
    for (const Index vertex : landmarks_)
      positions.push_back(
          static_cast<Index>(std::lower_bound(kept_.begin(), kept_.end(), vertex) - kept_.begin()));
    solver_ = std::make_unique<InterpolationSolver>(thinned_, std::move(positions),
                                                    at_kept(landmarks.cell, kept_), options);
  }

  Interpolation solve(const MethodRun& run, const OrderedLandmarks& landmarks) const {
    Interpolation result = solver_->solve(run.execution);
    if (whole_) return result;
    auto [P, sums] =
        extend_rows(result.P, kept_, std::get<Samples>(run.prepared.shape()).values, run.prepared.edges(),
                    landmarks.cell, run.options.interpolation.nonzeros, run.execution);
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
  const MeasuredLandmarks& found =
      run.measure_beside(chosen, [&] { solver->factor(chosen.order, options.interpolation); });
  if (solver->landmarks() != found.order.vertices) {
    solver = std::make_unique<RowSolver>(run, found.order);
    run.run("interpolation", [&] {
      solver->factor(found.order, options.interpolation);
      return 0;
    });
  }
  Interpolation interpolation = run.run("interpolation", [&] { return solver->solve(run, found.order); });
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
