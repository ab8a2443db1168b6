#include "geodome/geodesic/marching/fast_marching.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

}  // namespace

FastMarching::FastMarching(const TriangleMesh& mesh, const FastMarchingOptions& options,
                           const Execution& execution)
    : FastMarching(prepare_surface(mesh), options, execution) {}

FastMarching::FastMarching(Surface prepared, const FastMarchingOptions& options, Unmade)
    : SurfaceSolver(std::move(prepared)),
      options_(options),
      kernel_(&marching_kernel(options.vectors)),
      inputs_(surface()) {
  if (options.lanes != 0 && options.lanes != 1 && options.lanes != 16 && options.lanes != 32 &&
      options.lanes != 64)
    throw InputError(text("lanes must be 0, 1, 16, 32 or 64, got ", options.lanes));
}

FastMarching::FastMarching(Surface prepared, const ExactRows& exact, const FastMarchingOptions& options,
                           const Execution& execution)
    : FastMarching(std::move(prepared), options, Unmade{}) {
  make_stencils(execution);
  if (options.remove_bias) fit_factor(exact);
}

FastMarching::FastMarching(Surface prepared, const FastMarchingOptions& options, const Execution& execution)
    : FastMarching(std::move(prepared), options, Unmade{}) {
  // Side by side where there are threads for both. The rows take one thread, so they come first; the stencil
  // takes all that are free.
  ExactRows exact;
  const std::size_t bias = options.remove_bias ? 1 : 0;
  const Execution start = part_of(execution, "geodesic distances", 0, 0);
  parallel_for(1 + bias, start, "geodesic distances", [&](std::size_t item, int) {
    if (item < bias) {
      exact = exact_rows(surface(), rows_for_bias(static_cast<Index>(surface().points.rows())));
      return;
    }
    make_stencils(execution);
  });
  if (options.remove_bias) fit_factor(exact);
}

void FastMarching::make_stencils(const Execution& execution) {
  stencil_ = make_stencil(surface(), options_.ring, execution);
  stars_ = replace_chords_by_stars(stencil_, execution);
}

void FastMarching::fit_factor(const ExactRows& exact) {
  const BiasFit fit = fit_bias(exact, stencil_, *kernel_);
  factor_ = fit.factor;
  mean_relative_error_ = fit.mean_relative_error;
  exact_windows_ = exact.windows;
}

FastMarching::~FastMarching() = default;

/// Without the bias, on the surface's scale; never below the straight line.
inline double FastMarching::corrected(Index source, Index vertex, float distance) const {
  const double found = static_cast<double>(factor_) * distance;
  const double straight = (surface().points.row(source) - surface().points.row(vertex)).squaredNorm();
  return found * found >= straight ? found : std::sqrt(straight);
}

std::vector<std::vector<Index>> FastMarching::blocks(std::span<const Index> sources) const {
  constexpr std::size_t fewest = 64;  // not worth looking for clusters
  if (options_.lanes == 1 || (options_.lanes == 0 && sources.size() < fewest))
    return SurfaceSolver::blocks(sources);
  return cluster_sources(stencil_, surface().points, *kernel_, sources, options_.lanes);
}

/// Vertex t of the result is vertex_at(t).
template <typename VertexAt>
void FastMarching::solve_columns(std::span<const Index> sources, Index columns, const VertexAt& vertex_at,
                                 Eigen::Ref<RowMatrix<double>> out) const {
  if (sources.size() == 1) {
    auto march = marchers_.borrow(stencil_, *kernel_);
    march->run(sources[0]);
    for (Index t = 0; t < columns; ++t)
      out(0, t) = corrected(sources[0], vertex_at(t), march->distance(vertex_at(t)));
    return;
  }
  const int pool = sources.size() <= 16 ? 0 : sources.size() <= 32 ? 1 : 2;
  auto march = batched_marchers_[pool].borrow(stencil_, stars_, *kernel_, 16 << pool);
  march->run(sources);
  // All lanes of a vertex lie together, all columns of a row do: few columns at a time keep both in the
  // cache.
  constexpr Index together = 64;
  for (Index first = 0; first < columns; first += together)
    for (std::size_t s = 0; s < sources.size(); ++s)
      for (Index t = first; t < std::min(columns, first + together); ++t)
        out(static_cast<Eigen::Index>(s), t) =
            corrected(sources[s], vertex_at(t), march->distance(vertex_at(t), static_cast<int>(s)));
}

void FastMarching::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  solve_columns(
      sources, stencil_.vertices, [](Index v) { return v; }, out);
}

void FastMarching::solve_at(std::span<const Index> sources, std::span<const Index> targets,
                            Eigen::Ref<RowMatrix<double>> out) const {
  solve_columns(
      sources, static_cast<Index>(targets.size()), [&](Index t) { return targets[t]; }, out);
}

std::vector<Neighbour> FastMarching::within(Index source, double radius) const {
  if (source < 0 || source >= size())
    throw InputError(text("source ", source, " is out of range [0, ", size(), ")"));
  if (std::isnan(radius) || radius < 0) return {};
  const Index start = surface().of_input[source];
  if (start < 0) return {{source, 0}};
  auto march = marchers_.borrow(stencil_, *kernel_);
  const double limit = radius / surface().scale / factor_;
  // Rounded up: the exact comparison is made below, in the input's units.
  march->run(start, std::nextafter(static_cast<float>(limit), unreached));
  return inputs_.within(march->reached(), radius,
                        [&](Index v) { return surface().scale * corrected(start, v, march->distance(v)); });
}

}  // namespace geodome::internal
