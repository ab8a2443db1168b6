#pragma once
/// The inner loops of fast marching, compiled once for each level of vector instructions and chosen at run
/// time. All levels do the same arithmetic in the same order without contraction, so their results are
/// identical.

#include "geodome/base/types.h"
#include "geodome/geodesic/stencil.h"

namespace geodome {

/// Which vector instructions to use. `best` is the highest level this processor has.
enum class VectorLevel { baseline, avx2, avx512, best };

struct MarchingKernel {
  /// Offers the distance of one vertex to all targets in its blocks; `distance` is indexed by vertex. Writes
  /// the targets whose distance fell (a target may repeat) to `improved`, which has room for all lanes, and
  /// returns their number. Distances above `limit` are not offered.
  int (*offer)(const StencilBlock* blocks, std::int64_t count, float from, float limit, float* distance,
               Index* improved);
};

/// Whether this processor (and this build) has the level.
bool has_level(VectorLevel level);

/// Throws InputError when the processor does not have the level.
const MarchingKernel& marching_kernel(VectorLevel level);

}  // namespace geodome
