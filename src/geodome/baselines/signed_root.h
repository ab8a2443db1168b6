#pragma once
/// A factor of a symmetric matrix that need not be definite.

#include "geodome/base/types.h"

namespace geodome::internal {

/// Factors of a core for a form A S Aᵀ = X core Xᵀ: the columns of `root` are those of X times it. Of the
/// pseudoinverse of the core where `inverse` is set. Eigenvalues of at most `cut` times the largest magnitude
/// are left out.
struct SignedRoot {
  Eigen::MatrixXd root;  ///< size by kept
  Vector sign;           ///< kept: +1 or -1
};
SignedRoot signed_root(const Eigen::MatrixXd& core, double cut, bool inverse);

}  // namespace geodome::internal
