#pragma once
/// Fast marching from many neighbouring sources at once, vectorised over the sources: far away they all see
/// the shape in nearly the same order, so one order serves all.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/star.h"

namespace geodome::internal {

/// How much a batch may be off from marches of its sources one by one.
struct BatchTolerances {
  /// Each source is marched on its own as far as the centre of its cluster and this many radii beyond: closer
  /// than that the sources see the shape in too different orders. Wider near fields save visits, and cost
  /// more than these.
  float near_radii = 0.5f;
  /// Changes below this fraction of a distance, for each lane of a batch, are not passed on. What is held
  /// back adds up along a path: on four scans to three times as much at worst with 64 lanes and to eight
  /// times with 16. The fewer the lanes, the wider the cluster, and the more often its distances are
  /// corrected.
  float of_lane = 2e-6f;
};

/// Distances from one cluster of sources at a time, by updates of vertices in all lanes, one for each source.
/// This class says when a vertex is updated; classes derived from it, how. Not thread-safe.
class BatchSchedule {
 public:
  virtual ~BatchSchedule() = default;

  /// At most `lanes` sources, all in one component, the middle one first (source_clusters.h). Valid until the
  /// next run.
  void run(std::span<const Index> sources);

  /// From sources[lane] of the last run; infinite where not reached.
  float distance(Index vertex, int lane) const {
    return progress_[vertex].changed ? row(vertex)[lane] : std::numeric_limits<float>::infinity();
  }
  int lanes() const { return lanes_; }

 protected:
  /// Throws InputError unless lanes is 16, 32 or 64.
  BatchSchedule(const Stencil& stencil, const Stars& stars, const MarchingKernel& kernel, int lanes,
                const BatchTolerances& tolerances);

  /// A march from a single source, up to a limit, and what it found: the near field is made of these.
  virtual void march(Index source, float limit) = 0;
  virtual float marched(Index vertex) const = 0;
  virtual std::span<const Index> reached() const = 0;
  /// Takes over the vertex from the last march into a lane.
  virtual void take_label(Index vertex, int lane) = 0;
  /// Lowers the distances of a vertex in all lanes to what its neighbours have to offer that is newer than
  /// `last_visit`. Returns one bit for each lane that fell by more than `tolerance` of itself.
  virtual std::uint64_t gather(Index vertex, std::int32_t last_visit, float tolerance) = 0;

  const Stars& stars() const { return *stars_; }
  const MarchingKernel& kernel() const { return *kernel_; }
  const Progress* progress() const { return progress_.data(); }
  float* distances() { return distances_.data(); }

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

  BatchTolerances tolerances_;
  const Stencil* stencil_;
  const Stars* stars_;
  const MarchingKernel* kernel_;
  int lanes_;
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
