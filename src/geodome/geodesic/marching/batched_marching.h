#pragma once
/// Fast marching from many neighbouring sources at once, vectorised over the sources: far away they all see
/// the shape in nearly the same order, so one order serves all.

#include <span>
#include <vector>

#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/marcher.h"

namespace geodome::internal {

/// Divides sources (distinct) into clusters that are close together, the middle one first, each within a
/// small part of one component; sources without enough company stay alone. `lanes` are 16, 32 or 64 at most,
/// or 0 for as many as pay: the denser the sources, the more. `points` are the surface's. Depends on the set
/// of sources only. Cost: one march per component and a truncated one per cluster, over a few times its own
/// area.
std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes);

/// The distances from one cluster at a time. Holds all that one thread needs. Not thread-safe.
/// Cost: memory of 4 * lanes + 24 bytes per vertex. Time per source from 0.3 to 0.5 (a thousand sources on
/// the whole shape) down to 0.1 to 0.25 (ten thousand) of a single march.
class BatchedMarcher {
 public:
  /// Throws InputError unless lanes is 16, 32 or 64.
  BatchedMarcher(const Stencil& stencil, const Stars& stars, const MarchingKernel& kernel, int lanes);

  /// At most `lanes` sources, all in one component, the middle one first. Within 1e-3 of the diameter of what
  /// a march from each source gives, 1e-4 on average. Valid until the next run.
  void run(std::span<const Index> sources);

  /// From sources[lane] of the last run; infinite where not reached.
  float distance(Index vertex, int lane) const {
    return progress_[vertex].changed ? row(vertex)[lane] : std::numeric_limits<float>::infinity();
  }
  int lanes() const { return lanes_; }

 private:
  Index bucket_at(float distance) const;
  void measure_cluster(std::span<const Index> sources);
  void seed(std::span<const Index> sources);
  void reach(Index vertex);
  void sweep_bucket(Index bucket);
  void update(Index vertex, Index bucket);
  void queue_neighbours(Index vertex);
  void queue_again(Index vertex);
  void make_bucket(Index bucket);
  void prefetch(const std::vector<Index>& vertices, std::size_t i) const;
  void prefetch_star(Index vertex) const;
  void prefetch_rows(Index vertex) const;
  void prefetch_bucket(Index bucket) const;
  float* row(Index vertex) { return distances_.data() + static_cast<std::size_t>(vertex) * lanes_; }
  const float* row(Index vertex) const {
    return distances_.data() + static_cast<std::size_t>(vertex) * lanes_;
  }

  const Stencil* stencil_;
  const Stars* stars_;
  const MarchingKernel* kernel_;
  int lanes_;
  Marcher marcher_;
  LargeVector<float> distances_;  ///< vertex by lane; of vertices that were reached
  LargeVector<Progress> progress_;
  std::vector<std::int32_t> visited_;      ///< when a vertex was last updated
  std::int32_t now_ = 0;                   ///< the time
  std::vector<std::vector<Index>> ahead_;  ///< not visited yet, by bucket
  std::vector<std::vector<Index>> dirty_;  ///< to be visited again, by bucket
  std::size_t dirty_count_ = 0;
  std::vector<Index> round_;
  float inverse_width_;  ///< of a bucket
  float near_radius_ = 0;
  std::vector<float> from_centre_;  ///< of each source
};

}  // namespace geodome::internal
