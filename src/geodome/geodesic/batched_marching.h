#pragma once
/// Fast marching from many neighbouring sources at once, vectorised over the sources: far away they all see
/// the shape in nearly the same order, so one order serves all.

#include <span>
#include <vector>

#include "geodome/geodesic/fast_marching_kernel.h"
#include "geodome/geodesic/marcher.h"

namespace geodome {

/// Divides sources (distinct) into clusters that are close together, the middle one first, each within a
/// small part of one component; sources without enough company stay alone. `lanes` are 16, 32 or 64 at most,
/// or 0 for as many as pay: the denser the sources, the more. `points` are the surface's. Depends on the set
/// of sources only. Cost: one march per component and a truncated one per cluster, over a few times its own
/// area.
std::vector<std::vector<Index>> cluster_sources(const Stencil& stencil, const Points& points,
                                                const MarchingKernel& kernel, std::span<const Index> sources,
                                                int lanes);

/// The distances from one cluster at a time. Holds all that one thread needs. Not thread-safe.
/// Cost: memory of 4 * lanes bytes per vertex. Time per source from 0.6 (a thousand sources on the whole
/// shape) down to 0.1 (fifty thousand) of a single march.
class BatchedMarcher {
 public:
  /// Throws InputError unless lanes is 16, 32 or 64.
  BatchedMarcher(const Stencil& stencil, const Stars& stars, const MarchingKernel& kernel, int lanes);

  /// At most `lanes` sources, all in one component, the middle one first. Within 1e-3 of the diameter of what
  /// a march from each source gives, 1e-4 on average. Valid until the next run.
  void run(std::span<const Index> sources);

  /// From sources[lane] of the last run; infinite where not reached.
  float distance(Index vertex, int lane) const { return row(vertex)[lane]; }
  int lanes() const { return lanes_; }

 private:
  enum class State : char {
    unknown,  ///< infinitely far in all lanes
    seeded,   ///< not visited yet, but some lane begins with a distance
    visited,
    waiting  ///< visited, and among the dirty ones of its bucket
  };

  void order_by_centre(std::span<const Index> sources);
  void seed(std::span<const Index> sources);
  void sweep_bucket(std::size_t bucket);
  void update(Index vertex);
  void prefetch(std::size_t i) const;
  const float* row(Index vertex) const {
    return distances_.data() + static_cast<std::size_t>(vertex) * lanes_;
  }

  const Stencil* stencil_;
  const Stars* stars_;
  const MarchingKernel* kernel_;
  int lanes_;
  Marcher marcher_;
  LargeVector<float> distances_;             ///< vertex by lane
  std::vector<Index> order_;                 ///< vertices by bucket
  std::vector<std::size_t> bucket_offsets_;  ///< into order_
  std::vector<Index> bucket_of_;
  std::vector<State> state_;
  std::vector<std::vector<Index>> dirty_;  ///< by bucket
  std::vector<Index> now_;
  std::vector<std::int32_t> known_;     ///< neighbours, see MarchingKernel::gather
  std::vector<std::uint64_t> earlier_;  ///< by neighbour, see MarchingKernel::gather
  std::size_t dirty_count_ = 0;
  std::size_t next_unvisited_ = 0;  ///< bucket
  float near_radius_ = 0;
  std::vector<float> from_centre_;  ///< of each source
};

}  // namespace geodome
