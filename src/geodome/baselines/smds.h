#pragma once
/// Spectral multidimensional scaling [Aflalo and Kimmel 2013]: K ≈ Φ H W Hᵀ Φᵀ, Φ the first eigenvectors of
/// the Laplacian. Smaller than all that keep columns, and as smooth as its eigenvectors.

#include "geodome/baselines/factored.h"
#include "geodome/laplacian/eigen.h"

namespace geodome::internal {

struct SmdsOptions {
  Index eigenvectors = 200;  ///< m, as its authors have it; fewer where there are fewer pairs
  /// μ, how closely the landmarks are met. Columns of Φ have length one here, as in the reference, where it
  /// is 1; beside the eigenvalues it is in units of 1 / length².
  double weight = 1;
};

/// H = μ (Λ + μ Φ_bᵀΦ_b)⁻¹ Φ_bᵀ. `W` (#landmarks by #landmarks) are distances, squared here for kind squared.
/// H W Hᵀ is kept as its root: Φ H W Hᵀ Φᵀ = A S Aᵀ with at most min(m, l) columns. The vertices of a shape
/// without mass (unreferenced) are in no component. Cost: O(#V m² + m³) time, 4 #V min(m, l) bytes. Throws
/// InputError when options are out of range or sizes do not fit, NumericalError where the system is singular
/// to rounding.
FactoredMatrix smds(const Eigenpairs& pairs, std::span<const Index> landmarks, const Eigen::MatrixXd& W,
                    const std::vector<Index>& component, DistanceKind kind, const SmdsOptions& options = {});

}  // namespace geodome::internal
