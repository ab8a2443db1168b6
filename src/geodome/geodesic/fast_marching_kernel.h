#pragma once
/// The inner loops of fast marching, compiled once for each level of vector instructions and chosen at run
/// time. All levels do the same arithmetic in the same order without contraction, so their results are
/// identical.

#include "geodome/base/types.h"
#include "geodome/geodesic/star.h"

namespace geodome {

/// Which vector instructions to use. `best` is the highest level this processor has.
enum class VectorLevel { baseline, avx2, avx512, best };

/// What a march knows about a vertex.
struct Label {
  static constexpr std::int32_t unreached = -2, settled = -1;
  float distance = std::numeric_limits<float>::infinity();
  std::int32_t bucket = unreached;  ///< where it waits, or one of the two marks
};

/// The neighbours and chords of a star, by their places in it, that may have something new to offer.
struct StarPart {
  const std::int32_t* neighbours = nullptr;
  int neighbour_count = 0;
  const std::int32_t* chords = nullptr;
  int chord_count = 0;
};

struct MarchingKernel {
  /// Offers the distance `from` of one vertex to all targets in one of its fans. Writes the neighbours whose
  /// distance fell to `improved`, which has room for Fan::slots, and returns their number. Distances above
  /// `limit` are not offered. A chord whose other end waits is left out: it is looked at again when that end
  /// has its turn.
  int (*offer)(const Fan& fan, const Rays* rays, float from, float limit, Label* labels, Index* improved);

  /// Lowers the distances of a vertex in all lanes (16, 32 or 64) to what a part of its star offers;
  /// `distances` is vertex by lane. Returns one bit for each lane that fell by more than `tolerance` of
  /// itself.
  std::uint64_t (*gather)(const Star& star, const StarPart& part, int lanes, Index vertex, float tolerance,
                          float* distances);

  /// Which of `count` neighbours, named by their places in the star, come after the vertex in any lane that
  /// fell: their places into `found`. Returns their number.
  int (*followers)(const Star& star, const std::int32_t* places, int count, int lanes, Index vertex,
                   std::uint64_t fell, const float* distances, std::int32_t* found);
};

/// Whether this processor (and this build) has the level.
bool has_level(VectorLevel level);

/// Throws InputError when the processor does not have the level.
const MarchingKernel& marching_kernel(VectorLevel level);

}  // namespace geodome
