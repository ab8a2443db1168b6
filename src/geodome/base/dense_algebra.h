#pragma once
/// Decompositions of dense matrices that several folders need, compiled once: each takes seconds to compile.

#include <functional>
#include <memory>

#include "geodome/base/types.h"

namespace geodome::internal {

struct SymmetricEigen {
  Vector values;            ///< increasing
  Eigen::MatrixXd vectors;  ///< orthonormal, beside them
};

/// Of a symmetric matrix; the lower triangle is read. Cost: O(size³).
SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

/// The values alone.
Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix);

/// Columns made orthonormal, keeping their order.
Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& vectors);

/// A = Q R, where Q has orthonormal columns and R min(#rows, #columns) rows. Takes no memory beside that of A
/// and R.
class ThinQr {
 public:
  explicit ThinQr(Eigen::MatrixXd A);
  ~ThinQr();

  const Eigen::MatrixXd& R() const { return R_; }
  /// Q X, where X has as many rows as R.
  Eigen::MatrixXd times(const Eigen::MatrixXd& X) const;

 private:
  struct Decomposition;
  Eigen::MatrixXd A_;  ///< the decomposition is written into it
  std::unique_ptr<const Decomposition> decomposition_;
  Eigen::MatrixXd R_;
};

struct LanczosOptions {
  Index wanted = 1;               ///< eigenpairs
  Index steps = 2;                ///< vectors kept: more than wanted, at most the size
  Index iterations = 1000;        ///< restarts
  double tolerance = 1e-12;       ///< relative to each eigenvalue
  const Vector* start = nullptr;  ///< random where null
};

/// The largest eigenvalues, decreasing, and their vectors, as far as they converged. `product` writes the
/// product of a symmetric matrix with its first argument into its second. Throws what Spectra and `product`
/// throw.
SymmetricEigen lanczos(Index size, const std::function<void(const double*, double*)>& product,
                       const LanczosOptions& options);

}  // namespace geodome::internal
