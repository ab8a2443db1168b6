#pragma once
/// The largest eigenvalues of a symmetric operator that is only known by its products, checked.

#include <cstdint>
#include <functional>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// The product of the operator with each column of X (size by k).
using BlockProduct = std::function<RowMatrix<double>(const RowMatrix<double>& X)>;

struct EigenpairOptions {
  Index count = 3;
  /// Of a residual, relative to the largest eigenvalue found. Eigenvalues are then right to about its square:
  /// far below the error of any approximate distance.
  double tolerance = 1e-6;
  std::uint64_t seed = 0;
  /// Another way to find vectors of the largest eigenvalues, size by `wanted` at most; empty: Spectra. The
  /// rest, among it the search for what was missed, is the same.
  std::function<Eigen::MatrixXd(Index wanted, double tolerance)> find{};
};

struct TopEigenpairs {
  Vector values;            ///< count, decreasing; zero beyond the operator's rank or size
  Eigen::MatrixXd vectors;  ///< size by count, orthonormal; zero where the operator has no more of them
  Vector residuals;         ///< count: ‖Bv - λv‖ / largest |λ|, from products of our own
  int products = 0;         ///< products with a single column; a block of k columns counts as k
  bool converged = false;   ///< every residual is within the tolerance
};

/// The `count` algebraically largest eigenvalues and their vectors, by Lanczos iteration [Parlett 1998]
/// through Spectra. What comes back is never believed: the answer is the best one (Rayleigh-Ritz) within the
/// span of what Spectra found and of a few random images of the operator, and its residuals are measured.
/// The images span the whole range of an operator of low rank, on which Lanczos iteration breaks down. After
/// each run another looks for something larger that is orthogonal to what is known, since one starting vector
/// sees a repeated eigenvalue only once. Operators of up to 256 rows are solved densely.
/// Cost: some 15 to 40 products and 2 count + 4 vectors, 8 at least. Deterministic.
TopEigenpairs top_eigenpairs(Index size, const BlockProduct& product, const EigenpairOptions& options = {});

}  // namespace geodome::internal
