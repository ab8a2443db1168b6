#pragma once
/// The inner loops of fast marching, compiled once for each level of vector instructions and chosen at run
/// time. All levels do the same arithmetic in the same order without contraction, so their results are
/// identical.

#include <cmath>

#include "geodome/base/types.h"
#include "geodome/geodesic/marching/star.h"

namespace geodome::internal {

struct CarriedChord;

/// The labels of a batch of marches that carry their sources (carried.h): arrays of vertex by lane.
struct CarriedLanes {
  float* distance = nullptr;
  float* bend = nullptr;
  float* direction = nullptr;
};

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

/// What a batch knows about a vertex. Times count updates: 0 is never.
struct Progress {
  static constexpr std::int32_t nowhere = std::numeric_limits<std::int32_t>::max();
  std::int32_t changed = 0;  ///< when a distance last fell, in any lane
  /// Before it is visited: the bucket it waits in, or nowhere. From then on negative, and even while it waits
  /// to be visited again.
  std::int32_t place = nowhere;

  static std::int32_t visited_in(std::int32_t bucket, bool waiting) { return ~(2 * bucket + waiting); }
  bool visited() const { return place < 0; }
  std::int32_t bucket() const { return visited() ? ~place / 2 : place; }
  bool awake() const { return place < 0 && place % 2 != 0; }  ///< visited, and not waiting
};

struct MarchingKernel {
  static constexpr int most_turns = 4;

  /// What some vertices, at most `most_turns` of them, have to offer: into `offered`, by turn and slot
  /// (aligned to 64 bytes). Returns one bit for each, in the same order, that is less than what is known at
  /// the neighbour and not above `limit`. A chord whose other end waits is left out: it is looked at again
  /// when that end has its turn. Several at a time, because one alone has to wait for its own square roots.
  std::uint64_t (*offer)(const Turn* turns, int count, float limit, const Label* labels, float* offered);

  /// Lowers the distances of a vertex in all lanes (16, 32 or 64) to what one of its stars has to offer that
  /// is newer than `last_visit`; `distances` is vertex by lane. Returns one bit for each lane that fell by
  /// more than `tolerance` of itself.
  std::uint64_t (*gather)(const Star& star, const Progress* progress, std::int32_t last_visit, int lanes,
                          Index vertex, float tolerance, float* distances);

  /// Lowers the labels of a vertex in all lanes to what its chords (`count` of them) have to offer that is
  /// newer than `last_visit`. `closed_angle` is by vertex. Returns one bit for each lane whose distance fell
  /// by more than `tolerance` of itself.
  std::uint64_t (*carry)(const CarriedChord* chords, int count, const float* closed_angle,
                         const Progress* progress, std::int32_t last_visit, int lanes, Index vertex,
                         float tolerance, const CarriedLanes& labels);

  /// One bit for each neighbour that was visited, does not wait, and comes after the vertex in any lane that
  /// fell.
  unsigned (*followers)(const Star& star, const Progress* progress, int lanes, Index vertex,
                        std::uint64_t fell, const float* distances);

  /// The buckets that neighbours belong into when the vertex is `from` away and in `bucket`: into `buckets`,
  /// by slot (aligned to 64 bytes). Returns one bit for each that was not visited and has no earlier place. A
  /// bucket is 1 / inverse_width wide, and what is farther away than `last` shares that one.
  unsigned (*queue)(const Star& star, const Progress* progress, float from, std::int32_t bucket,
                    float inverse_width, float last, std::int32_t* buckets);
};

/// Whether this processor (and this build) has the level.
bool has_level(VectorLevel level);

/// Throws InputError when the processor does not have the level.
const MarchingKernel& marching_kernel(VectorLevel level);

}  // namespace geodome::internal
