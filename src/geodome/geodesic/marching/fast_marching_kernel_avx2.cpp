#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/fast_marching_kernel.inc"
// After it:
#include "geodome/geodesic/marching/carried_kernel.inc"

namespace geodome::internal {
extern const MarchingKernel marching_kernel_avx2;
const MarchingKernel marching_kernel_avx2{&offer, &gather, &carry, &followers, &queue};
}  // namespace geodome::internal
