#pragma once
/// Nyström's approximation K ≈ C W⁺ Cᵀ [Nyström 1930; Williams and Seeger 2001]: columns of the matrix, and
/// nothing about the shape.

#include "geodome/base/execution.h"
#include "geodome/baselines/factored.h"
#include "geodome/baselines/landmark_columns.h"

namespace geodome::internal {

/// The pseudoinverse as it is: only eigenvalues that are zero to double precision are left out. Distances are
/// not definite, so some eigenvalues lie near zero by chance and spoil everything: use a cut of 1e-3.
inline constexpr double plain_nystrom_cut = 1e-15;

/// Eigenvalues of W (or W∘W, for squared distances) of at most `cut` times the largest are taken for zero.
/// W⁺ is kept as its root, which halves what small eigenvalues do to single precision: C W⁺ Cᵀ = A S Aᵀ.
/// Cost: O(#V l² + l³) time, 4 #V l bytes.
FactoredMatrix nystrom(const LandmarkColumns& columns, DistanceKind kind, double cut,
                       const Execution& execution = {});

}  // namespace geodome::internal
