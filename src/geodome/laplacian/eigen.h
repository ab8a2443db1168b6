#pragma once
/// The low end of the spectrum of a Laplacian: L x = λ D x.

#include "geodome/base/execution.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

struct Eigenpairs {
  Vector values;            ///< k, increasing; one zero per component
  Eigen::MatrixXd vectors;  ///< #V by k, D-orthonormal; zero where both mass and stiffness are
  /// ‖Lx - λDx‖ / ((λ + shift) ‖Dx‖) of each pair, where shift is of the order of the first non-zero value.
  Vector residuals;
};

/// The `count` smallest eigenvalues of (L, D) with their vectors, by Lanczos iteration on the inverse of L
/// shifted by a small multiple of D. Multiple eigenvalues are found as often as they occur: the iteration is
/// repeated with the vectors found taken out until it yields nothing smaller. Cost: one factorisation of L +
/// σD, some 50 + 3 count solves. Deterministic. Throws InputError when count is below 1 or above the number
/// of vertices with mass, NumericalError when a residual exceeds 1e-6, Cancelled between two solves.
Eigenpairs low_eigenpairs(const Laplacian& laplacian, Index count, const Execution& execution = {});

}  // namespace geodome::internal
