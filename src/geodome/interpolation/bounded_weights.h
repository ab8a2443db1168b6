#pragma once
/// Laplacians fit for a biharmonic solve: the few weights that would drown all others in rounding are
/// bounded.
///
/// M = Lᵀ D⁻¹ L squares the range of the weights. Two vertices next to each other and an ordinary edge apart
/// from the rest are joined by a weight of their distances' ratio w; beside its square the ordinary weights
/// keep 16 - 2 log₁₀ w digits, of which the solve itself needs some five. Needles, caps and coincident
/// vertices of real scans leave none.

#include <functional>

#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

struct BoundedLaplacian {
  Laplacian laplacian;
  Index vertices = 0;  ///< those whose weights or mass were changed
  double bound = 0;    ///< that they were held to
};

/// At every vertex with a weight of magnitude above `bound` times the median magnitude t, all weights are
/// brought into [t / bound, t · bound], so that they stay connected and none is negative; every mass is
/// brought up to the largest of its neighbours divided by `bound`. Rows still sum to zero. With a bound of
/// one all weights are alike and any shape is as good as a graph. Vertices without mass or weights stay so.
/// Cost: O(nonzeros). `bound` is at least one.
BoundedLaplacian bound_weights(const Laplacian& laplacian, double bound);

/// Calls `solve` with the Laplacian bounded as little as its arithmetic needs. The first bound leaves some
/// six digits: v vertices per landmark cost 2 log₁₀ v, hence 3e4 / v, between 10 and 10⁴, which ordinary
/// meshes never reach. It falls by ten, down to one, as long as `solve` throws NumericalError. Throws the
/// last one. Bounds of `below` or more are left out, where they failed before.
void solve_with_bounded_weights(const Laplacian& laplacian, std::size_t landmarks,
                                const std::function<void(const BoundedLaplacian&)>& solve,
                                double below = infinity);

}  // namespace geodome::internal
