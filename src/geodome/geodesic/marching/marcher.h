#pragma once
/// One march over a stencil: the engine of fast marching.

#include <limits>
#include <span>
#include <vector>

#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/stencil.h"

namespace geodome::internal {

/// Marches over a stencil from one source at a time, in order of distance, correcting labels that turn out
/// too long. Holds all that one thread needs; a run touches only what it reaches. Not thread-safe.
class Marcher {
 public:
  Marcher(const Stencil& stencil, const MarchingKernel& kernel);

  /// Distances from the source up to `limit`. Valid until the next run.
  void run(Index source, float limit = std::numeric_limits<float>::infinity());

  /// Infinite where not reached.
  float distance(Index vertex) const { return labels_[vertex].distance(); }
  /// The vertices reached by the last run, in no particular order.
  std::span<const Index> reached() const { return {reached_.data(), reached_count_}; }

 private:
  /// Vertices waiting for their turn. There is always room for one more, so that adding needs no decision.
  struct Bucket {
    std::vector<Index> vertices = std::vector<Index>(16);
    std::size_t count = 0;
  };

  void enqueue(Index vertex, float distance);
  void take_turns(float limit);

  const Stencil* stencil_;
  const MarchingKernel* kernel_;
  LargeVector<Label> labels_;
  std::vector<Index> reached_;  ///< with room for one more than all
  std::size_t reached_count_ = 0;
  std::vector<Bucket> buckets_;  ///< a ring; bucket b is buckets_[b % size]
  float inverse_width_;
  std::int32_t bucket_ = 0;  ///< the one being emptied
  std::size_t waiting_ = 0;
  Turn turns_[MarchingKernel::most_turns];  ///< that come next, all at once
  int turn_count_ = 0;
};

}  // namespace geodome::internal
