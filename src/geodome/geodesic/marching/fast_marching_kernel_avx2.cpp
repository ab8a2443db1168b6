#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/fast_marching_kernel.inc"

namespace geodome::internal {
extern const MarchingKernel marching_kernel_avx2;
const MarchingKernel marching_kernel_avx2{&offer, &gather, &followers, &queue};
}  // namespace geodome::internal
