#pragma once
/// The inner loops of fast marching, compiled once for each level of vector instructions and chosen at run
/// time. All levels do the same arithmetic in the same order without contraction, so their results are
/// identical.

#include <cmath>

#include "geodome/base/types.h"
#include "geodome/geodesic/star.h"

namespace geodome {

/// Which vector instructions to use. `best` is the highest level this processor has.
enum class VectorLevel { baseline, avx2, avx512, best };

/// What a march knows about a vertex.
struct Label {
  static constexpr std::int32_t unreached = -2, not_waiting = -1;
  /// The distance; with a minus sign once the vertex had its turn, so that one look says both.
  float signed_distance = std::numeric_limits<float>::infinity();
  std::int32_t bucket = unreached;  ///< where it waits, or one of the two marks

  float distance() const { return std::abs(signed_distance); }
};

/// A vertex that has its turn, by one of its fans.
struct Turn {
  const Fan* fan = nullptr;
  float from = 0;  ///< its distance
};

/// The neighbours and chords of a star, by their places in it, that may have something new to offer.
struct StarPart {
  const std::int32_t* neighbours = nullptr;
  int neighbour_count = 0;
  const std::int32_t* chords = nullptr;
  int chord_count = 0;
};

struct MarchingKernel {
  static constexpr int most_turns = 4;

  /// What some vertices, at most `most_turns` of them, have to offer: into `offered`, by turn and slot
  /// (aligned to 64 bytes). Returns one bit for each, in the same order, that is less than what is known at
  /// the neighbour and not above `limit`. A chord whose other end waits is left out: it is looked at again
  /// when that end has its turn. Several at a time, because one alone has to wait for its own square roots.
  std::uint64_t (*offer)(const Turn* turns, int count, float limit, const Label* labels, float* offered);

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
