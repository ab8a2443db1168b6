#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/fast_marching_kernel.inc"
// After it:
#include "geodome/geodesic/marching/carried_kernel.inc"

namespace geodome::internal {
extern const MarchingKernel marching_kernel_baseline;
const MarchingKernel marching_kernel_baseline{&offer, &gather, &carry, &followers, &queue};
}  // namespace geodome::internal
