#include "geodome/baselines/signed_root.h"

#include <cmath>

#include "geodome/base/dense_algebra.h"

namespace geodome::internal {

SignedRoot signed_root(const Eigen::MatrixXd& core, double cut, bool inverse) {
  const SymmetricEigen pairs = symmetric_eigen(core);
  const double least = cut * pairs.values.cwiseAbs().maxCoeff();
  SignedRoot result{Eigen::MatrixXd(core.rows(), core.rows()), Vector(core.rows())};
  Eigen::Index kept = 0;
  for (Eigen::Index k = 0; k < core.rows(); ++k) {
    const double magnitude = std::abs(pairs.values[k]);
    if (!(magnitude > least)) continue;
    result.root.col(kept) = pairs.vectors.col(k) * std::sqrt(inverse ? 1 / magnitude : magnitude);
    result.sign[kept++] = pairs.values[k] > 0 ? 1 : -1;
  }
  result.root.conservativeResize(Eigen::NoChange, kept);
  result.sign.conservativeResize(kept);
  return result;
}

}  // namespace geodome::internal
