#include "geodome/geodesic/marching/batched_marching.h"

namespace geodome::internal {

void BatchedMarcher::take_label(Index vertex, int lane) {
  distances()[static_cast<std::size_t>(vertex) * lanes() + lane] = marcher_.distance(vertex);
}

std::uint64_t BatchedMarcher::gather(Index vertex, std::int32_t last_visit, float tolerance) {
  std::uint64_t fell = 0;
  for (Index s = vertex; s >= 0; s = stars()[s].next)
    fell |= kernel().gather(stars()[s], progress(), last_visit, lanes(), vertex, tolerance, distances());
  return fell;
}

}  // namespace geodome::internal
