#include "geodome/geodesic/marching/carried_batch.h"

namespace geodome::internal {
namespace {

/// On a cortex, half the near field of plain marching takes a tenth less time, and the mean error is the same
/// with tolerances from 2e-6 to 2e-5.
constexpr BatchTolerances tolerances{.near_radii = 0.25f, .of_lane = 1e-5f};

}  // namespace

CarriedBatch::CarriedBatch(const CarriedStencil& chords, const Stencil& stencil, const Stars& stars,
                           const MarchingKernel& kernel, int lanes)
    : BatchSchedule(stencil, stars, kernel, lanes, tolerances),
      chords_(chords),
      marcher_(chords),
      bends_(static_cast<std::size_t>(stencil.vertices) * lanes),
      directions_(bends_.size()) {}

void CarriedBatch::take_label(Index vertex, int lane) {
  const std::size_t at = static_cast<std::size_t>(vertex) * lanes() + lane;
  distances()[at] = marcher_.distance(vertex);
  bends_[at] = marcher_.bend(vertex);
  directions_[at] = marcher_.direction(vertex);
}

std::uint64_t CarriedBatch::gather(Index vertex, std::int32_t last_visit, float tolerance) {
  const std::span<const CarriedChord> chords = chords_.chords_of(vertex);
  return kernel().carry(chords.data(), static_cast<int>(chords.size()), chords_.closed_angle.data(),
                        progress(), last_visit, lanes(), vertex, tolerance,
                        {distances(), bends_.data(), directions_.data()});
}

}  // namespace geodome::internal
