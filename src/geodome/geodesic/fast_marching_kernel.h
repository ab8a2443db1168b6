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

struct MarchingKernel {
  /// Offers the distance `from` of one vertex to all targets in one of its fans. Writes the neighbours whose
  /// distance fell to `improved`, which has room for Fan::slots, and returns their number. Distances above
  /// `limit` are not offered. A chord whose other end waits is left out: it is looked at again when that end
  /// has its turn.
  int (*offer)(const Fan& fan, const Rays* rays, float from, float limit, Label* labels, Index* improved);

  /// Lowers the distances of a vertex in all lanes (16, 32 or 64) to what its star offers; `distances` is
  /// vertex by lane. `known` lists the neighbours, by their places in the star, whose distance is finite in
  /// any lane: those that are far from all sources are not read. `earlier` has room for one number per
  /// neighbour. Returns one bit for each lane that fell by more than `tolerance` of itself; `earlier` then
  /// says for each neighbour in which lanes it was below what straight connections offer.
  std::uint64_t (*gather)(const Star& star, const std::int32_t* known, int known_count, int lanes,
                          Index vertex, float tolerance, float* distances, std::uint64_t* earlier);

  /// Whether a is below b in any lane with its bit set.
  bool (*below)(const float* a, const float* b, int lanes, std::uint64_t chosen);
};

/// Whether this processor (and this build) has the level.
bool has_level(VectorLevel level);

/// Throws InputError when the processor does not have the level.
const MarchingKernel& marching_kernel(VectorLevel level);

}  // namespace geodome
