#include "geodome/base/panel_solve.h"

namespace geodome::internal {
namespace {

// A tile of GEODOME_TALL rows times GEODOME_WIDE registers stays in registers, with a few to spare.
#define GEODOME_VECTOR 16
#define GEODOME_WIDE 4
#define GEODOME_TALL 3
namespace plain {
#include "geodome/base/panel_solve.inc"
}  // namespace plain
#undef GEODOME_VECTOR
#undef GEODOME_WIDE
#undef GEODOME_TALL

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define GEODOME_LEVELS

#pragma GCC push_options
#pragma GCC target("avx2,fma")
#define GEODOME_VECTOR 32
#define GEODOME_WIDE 2
#define GEODOME_TALL 6
namespace avx2 {
#include "geodome/base/panel_solve.inc"
}  // namespace avx2
#undef GEODOME_VECTOR
#undef GEODOME_WIDE
#undef GEODOME_TALL
#pragma GCC pop_options

#pragma GCC push_options
#pragma GCC target("avx512f,fma")
#define GEODOME_VECTOR 64
#define GEODOME_WIDE 4
#define GEODOME_TALL 6
namespace avx512 {
#include "geodome/base/panel_solve.inc"
}  // namespace avx512
#pragma GCC pop_options
#endif

struct Level {
  void (*forward)(const SupernodeView&, int, double*);
  void (*backward)(const SupernodeView&, int, double*);
};

Level best_level() {
#ifdef GEODOME_LEVELS
  if (__builtin_cpu_supports("avx512f")) return {avx512::solve_forward, avx512::solve_backward};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {avx2::solve_forward, avx2::solve_backward};
#endif
  return {plain::solve_forward, plain::solve_backward};
}

const Level& level() {
  static const Level best = best_level();
  return best;
}

}  // namespace

void solve_forward(const SupernodeView& node, int k, double* block) {
  level().forward(node, k, block);
}

void solve_backward(const SupernodeView& node, int k, double* block) {
  level().backward(node, k, block);
}

}  // namespace geodome::internal
