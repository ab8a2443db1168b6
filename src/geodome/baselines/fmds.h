#pragma once
/// Fast multidimensional scaling [Shamai, Aflalo, Zibulevsky, Kimmel 2015; Shamai, Zibulevsky, Kimmel 2018]:
/// K ≈ ½ (H Cᵀ + C Hᵀ). Columns of the matrix, carried to all others by a smooth interpolation.

#include <span>

#include "geodome/base/execution.h"
#include "geodome/baselines/factored.h"
#include "geodome/baselines/landmark_columns.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

/// H: #V by #landmarks. Minimises the biharmonic energy plus `softening` times the squared misfit at the
/// landmarks: H = μ (M + μ B Bᵀ)⁻¹ B, B the columns of the identity at the landmarks, which is P (M_bb + μI +
/// M_bu P_u)⁻¹ μ. With a growing μ it becomes the interpolation operator P. μ is in units of 1 / length².
/// `cell` as in interpolation/operator.h. Cost: one factorisation and one solve per landmark; 4 #V l bytes.
/// Throws InputError when μ is not positive, NumericalError when it is too small for the arithmetic.
RowMatrix<float> soft_interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                             std::span<const Index> cell, double softening,
                                             const Execution& execution = {});

/// H is #V by #landmarks: soft or, for μ → ∞, the interpolation operator itself. Cost: 8 #V l bytes.
FactoredMatrix fmds(const LandmarkColumns& columns, RowMatrix<float> H, DistanceKind kind);

}  // namespace geodome::internal
