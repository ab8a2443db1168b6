#include "geodome/geodesic/fast_marching.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/geodesic/bias.h"

namespace geodome {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

}  // namespace

FastMarching::FastMarching(const TriangleMesh& mesh, const FastMarchingOptions& options)
    : FastMarching(prepare_surface(mesh), options) {}

FastMarching::FastMarching(Surface prepared, const FastMarchingOptions& options)
    : SurfaceSolver(std::move(prepared)),
      options_(options),
      kernel_(&marching_kernel(options.vectors)),
      stencil_(make_stencil(surface(), options.ring)),
      inputs_(surface()) {
  if (options.lanes != 0 && options.lanes != 1 && options.lanes != 16 && options.lanes != 32 &&
      options.lanes != 64)
    throw InputError(text("lanes is ", options.lanes, ", not 0, 1, 16, 32 or 64"));
  if (options.remove_bias)
    factor_ = bias_factor(surface(), stencil_, *kernel_, rows_for_bias(stencil_.vertices));
}

FastMarching::~FastMarching() = default;

/// Without the bias, on the surface's scale.
double FastMarching::corrected(Index source, Index vertex, float distance) const {
  if (factor_ == 1) return distance;
  const double straight = (surface().points.row(source) - surface().points.row(vertex)).norm();
  return std::max<double>(static_cast<double>(factor_) * distance, straight);
}

std::vector<std::vector<Index>> FastMarching::blocks(std::span<const Index> sources) const {
  const int lanes = options_.lanes == 0 ? lanes_for(sources.size()) : options_.lanes;
  if (lanes == 1) return SurfaceSolver::blocks(sources);
  return cluster_sources(stencil_, surface().points, *kernel_, sources, lanes);
}

/// Calls store(s, from) for each source, where from(vertex) is its distance to a vertex.
template <typename Store>
void FastMarching::solve_each(std::span<const Index> sources, const Store& store) const {
  if (sources.size() == 1) {
    auto march = marchers_.borrow(stencil_, *kernel_);
    march->run(sources[0]);
    store(Eigen::Index{0}, [&](Index v) { return march->distance(v); });
    return;
  }
  const int pool = sources.size() <= 16 ? 0 : sources.size() <= 32 ? 1 : 2;
  auto march = batched_marchers_[pool].borrow(stencil_, *kernel_, 16 << pool);
  march->run(sources);
  for (std::size_t s = 0; s < sources.size(); ++s)
    store(static_cast<Eigen::Index>(s), [&](Index v) { return march->distance(v, static_cast<int>(s)); });
}

void FastMarching::solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const {
  solve_each(sources, [&](Eigen::Index s, const auto& from) {
    for (Index v = 0; v < stencil_.vertices; ++v) out(s, v) = corrected(sources[s], v, from(v));
  });
}

void FastMarching::solve_at(std::span<const Index> sources, std::span<const Index> targets,
                            Eigen::Ref<RowMatrix<double>> out) const {
  solve_each(sources, [&](Eigen::Index s, const auto& from) {
    for (std::size_t t = 0; t < targets.size(); ++t)
      out(s, static_cast<Eigen::Index>(t)) = corrected(sources[s], targets[t], from(targets[t]));
  });
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

}  // namespace geodome
