#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/marching/fast_marching_kernel.inc"

namespace geodome::internal {
extern const MarchingKernel marching_kernel_avx512;
const MarchingKernel marching_kernel_avx512{&offer, &gather, &followers, &queue};
}  // namespace geodome::internal
