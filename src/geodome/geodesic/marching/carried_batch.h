#pragma once
/// Marching that carries its source (carried.h), from many neighbouring sources at once.

#include <span>

#include "geodome/base/large_pages.h"
#include "geodome/geodesic/marching/batch_schedule.h"
#include "geodome/geodesic/marching/carried.h"

namespace geodome::internal {

/// Holds all that one thread needs. The mean error is that of single marches; single distances differ from
/// theirs, since both depend on the order of updates.
class CarriedBatch final : public BatchSchedule {
 public:
  /// `stencil`, of one ring, and its stars say who is whose neighbour. Keeps references.
  CarriedBatch(const CarriedStencil& chords, const Stencil& stencil, const Stars& stars,
               const MarchingKernel& kernel, int lanes);

 private:
  void march(Index source, float limit) override { marcher_.run(source, limit); }
  float marched(Index vertex) const override { return marcher_.distance(vertex); }
  std::span<const Index> reached() const override { return marcher_.reached(); }
  void take_label(Index vertex, int lane) override;
  std::uint64_t gather(Index vertex, std::int32_t last_visit, float tolerance) override;

  const CarriedStencil& chords_;
  CarriedMarcher marcher_;
  LargeVector<float> bends_;  ///< vertex by lane, as distances are
  LargeVector<float> directions_;
};

}  // namespace geodome::internal
