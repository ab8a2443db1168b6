#include "geodome/geodesic/marching/fast_marching_kernel.h"

#include "geodome/base/error.h"

namespace geodome::internal {

extern const MarchingKernel marching_kernel_baseline;
#ifdef GEODOME_X86_KERNELS
extern const MarchingKernel marching_kernel_avx2;
extern const MarchingKernel marching_kernel_avx512;
#endif

bool has_level(VectorLevel level) {
  switch (level) {
#ifdef GEODOME_X86_KERNELS
    case VectorLevel::avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
             __builtin_cpu_supports("bmi2");
    case VectorLevel::avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("bmi2");
#else
    case VectorLevel::avx2:
    case VectorLevel::avx512:
      return false;
#endif
    default:
      return true;
  }
}

const MarchingKernel& marching_kernel(VectorLevel level) {
  if (!has_level(level))
    throw InputError("this processor does not support the requested vector instructions: use best");
#ifdef GEODOME_X86_KERNELS
  const bool best = level == VectorLevel::best;
  if (level == VectorLevel::avx512 || (best && has_level(VectorLevel::avx512))) return marching_kernel_avx512;
  if (level == VectorLevel::avx2 || (best && has_level(VectorLevel::avx2))) return marching_kernel_avx2;
#endif
  return marching_kernel_baseline;
}

}  // namespace geodome::internal
