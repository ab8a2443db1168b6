#include "geodome/geodesic/marching/source_clusters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "geodome/geodesic/marching/marcher.h"

namespace geodome::internal {
namespace {

constexpr float unreached = std::numeric_limits<float>::infinity();

/// Lanes, and the part of its component that a cluster of this many may take up: seeding wider ones costs
/// more than they save.
struct ClusterSize {
  std::size_t lanes = 0;
  double widest = 0;
};
constexpr ClusterSize all_sizes[] = {{64, 0.02}, {32, 0.03}, {16, 0.1}};

/// Of a run, in single marches, empty lanes and all.
constexpr double cost_of(std::size_t lanes) {
  return 4.5 + 0.07 * static_cast<double>(lanes);
}

/// Finds clusters one after the other in one component.
class ClusterMaker {
 public:
  ClusterMaker(const Stencil& stencil, const Points& points, const MarchingKernel& kernel,
               std::span<const ClusterSize> sizes)
      : stencil_(stencil),
        points_(points),
        marcher_(stencil, kernel),
        rank_(stencil.vertices, -1),
        sizes_(sizes) {}

  std::vector<std::vector<Index>> divide(std::span<const Index> sources) {
    taken_.assign(sources.size(), 0);
    for (std::size_t s = 0; s < sources.size(); ++s) rank_[sources[s]] = static_cast<Index>(s);
    for (const Index source : sources)
      if (!taken_[rank_[source]]) divide_component(source);
    return std::move(clusters_);
  }

 private:
  void divide_component(Index root) {
    marcher_.run(root);
    const double size = static_cast<double>(marcher_.reached().size());
    std::vector<std::pair<float, Index>> members;
    for (const Index v : marcher_.reached())
      if (rank_[v] >= 0) members.emplace_back(-marcher_.distance(v), v);
    // Outermost first: what remains is then a ball around the root, not a scatter of leftovers.
    std::sort(members.begin(), members.end());
    vertices_ = size;
    // A disc of twice the area of the largest size that fits, with vertices as dense as in a triangular grid.
    const double per_source = size / static_cast<double>(members.size());
    double wanted = sizes_.back().widest * size;
    for (const ClusterSize& each : sizes_)
      if (2 * per_source * static_cast<double>(each.lanes) < wanted &&
          per_source * static_cast<double>(each.lanes) <= each.widest * size) {
        wanted = 2 * per_source * static_cast<double>(each.lanes);
        break;
      }
    radius_ = stencil_.typical_edge * static_cast<float>(std::sqrt(0.28 * wanted));
    for (const auto& [outside, v] : members)
      if (!taken_[rank_[v]]) add_cluster_at(v);
  }

  void add_cluster_at(Index start) {
    find_near(start);
    std::size_t best = 1;
    double least_cost = 1;
    for (const ClusterSize& size : sizes_) {
      const std::size_t count = count_within(size);
      const double cost = cost_of(size.lanes) / static_cast<double>(count);
      if (count < 2 || cost >= least_cost) continue;
      least_cost = cost;
      best = count;
    }
    // Much the same will be found from the next.
    if (best > 1) radius_ = 1.2f * near_[best - 1].first + stencil_.typical_edge;
    std::vector<Index> cluster;
    for (std::size_t k = 0; k < best; ++k) {
      cluster.push_back(near_[k].second);
      taken_[rank_[near_[k].second]] = 1;
    }
    put_middle_first(cluster);
    clusters_.push_back(std::move(cluster));
  }

  /// The sources that are left around a vertex, nearest first, at least as many as make a cluster of one
  /// size, unless there are fewer.
  void find_near(Index start) {
    for (float radius = radius_;; radius *= 1.3f) {
      marcher_.run(start, radius);
      near_.clear();
      for (const Index v : marcher_.reached())
        if (rank_[v] >= 0 && !taken_[rank_[v]]) near_.emplace_back(marcher_.distance(v), v);
      const auto reached = static_cast<double>(marcher_.reached().size());
      // Going on is of use to a size that is neither full nor too wide, unless a larger one is full.
      bool enough = true;
      for (const ClusterSize& size : sizes_) {
        if (near_.size() >= size.lanes) break;
        enough &= reached > size.widest * vertices_;
      }
      if (enough) break;
    }
    std::sort(near_.begin(), near_.end());
  }

  /// How many sources a cluster of that size can hold here.
  std::size_t count_within(const ClusterSize& size) {
    std::size_t count = std::min(near_.size(), size.lanes);
    const float widest = distance_of_nearest(static_cast<std::size_t>(size.widest * vertices_));
    while (count > 1 && near_[count - 1].first > widest) --count;
    return count;
  }

  /// How far the march had to go for the `count` nearest vertices; infinite if it reached fewer.
  float distance_of_nearest(std::size_t count) {
    if (marcher_.reached().size() <= count) return unreached;
    distances_.clear();
    for (const Index v : marcher_.reached()) distances_.push_back(marcher_.distance(v));
    std::nth_element(distances_.begin(), distances_.begin() + static_cast<std::ptrdiff_t>(count),
                     distances_.end());
    return distances_[count];
  }

  void put_middle_first(std::vector<Index>& cluster) const {
    Eigen::RowVector3d middle = Eigen::RowVector3d::Zero();
    for (const Index v : cluster) middle += points_.row(v) / static_cast<double>(cluster.size());
    const auto off = [&](Index v) { return (points_.row(v) - middle).squaredNorm(); };
    const auto best =
        std::min_element(cluster.begin(), cluster.end(), [&](Index a, Index b) { return off(a) < off(b); });
    std::swap(*best, cluster.front());
  }

  const Stencil& stencil_;
  const Points& points_;
  Marcher marcher_;
  std::vector<Index> rank_;  // of a vertex among the sources, or -1
  std::vector<char> taken_;  // by rank
  std::vector<std::vector<Index>> clusters_;
  std::vector<float> distances_;
  std::vector<std::pair<float, Index>> near_;  // sources with their distances
  std::span<const ClusterSize> sizes_;         // largest first
  double vertices_ = 0;                        // of the component
  float radius_ = 0;                           // to look for sources in
};

}  // namespace

std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes) {
  const ClusterSize one{static_cast<std::size_t>(lanes), all_sizes[2].widest};
  return ClusterMaker(stencil, points, kernel, lanes == 0 ? std::span(all_sizes) : std::span(&one, 1))
      .divide(sources);
}

}  // namespace geodome::internal
