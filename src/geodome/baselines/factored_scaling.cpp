#include <algorithm>

#include "geodome/base/dense_algebra.h"
#include "geodome/baselines/factored.h"
#include "geodome/embedding/eigenpairs.h"

namespace geodome::internal {
namespace {

/// J [A B] at these vertices.
Eigen::MatrixXd centred_factors(const Factors& factors, const std::vector<Index>& vertices) {
  const Eigen::Index r = factors.A.cols();
  Eigen::MatrixXd S(static_cast<Eigen::Index>(vertices.size()), factors.B.size() > 0 ? 2 * r : r);
  for (std::size_t k = 0; k < vertices.size(); ++k) {
    S.row(static_cast<Eigen::Index>(k)).head(r) = factors.A.row(vertices[k]).cast<double>();
    if (factors.B.size() > 0)
      S.row(static_cast<Eigen::Index>(k)).tail(r) = factors.B.row(vertices[k]).cast<double>();
  }
  S.rowwise() -= S.colwise().mean().eval();
  return S;
}

/// R T Rᵀ.
Eigen::MatrixXd small_form(const Eigen::MatrixXd& R, const FactoredMatrix& matrix, Index component) {
  const Factors& factors = matrix.factors();
  if (factors.B.size() == 0)
    return R * factors.sign.row(component).cast<double>().transpose().asDiagonal() * R.transpose();
  const Eigen::MatrixXd half = R.leftCols(matrix.columns()) * R.rightCols(matrix.columns()).transpose() / 2;
  return half + half.transpose();
}

PartScaling scale_part(const FactoredMatrix& matrix, const std::vector<Index>& vertices, Index count,
                       double tolerance, std::uint64_t seed) {
  const ThinQr qr(centred_factors(matrix.factors(), vertices));
  const RowMatrix<double> B = small_form(qr.R(), matrix, matrix.component(vertices.front())) / -2;
  // Residuals here are those of the whole problem: Q has orthonormal columns.
  const TopEigenpairs top = top_eigenpairs(
      static_cast<Index>(B.rows()), [&](const RowMatrix<double>& X) -> RowMatrix<double> { return B * X; },
      {count, tolerance / 10, seed});
  return {top.values, qr.times(top.vectors)};
}

}  // namespace

std::optional<OwnScaling> FactoredMatrix::own_scaling() const {
  return OwnScaling{
      8 * static_cast<std::int64_t>(factors_.A.size() + factors_.B.size()),
      [this](const std::vector<Index>& vertices, Index count, double tolerance, std::uint64_t seed) {
        return scale_part(*this, vertices, count, tolerance, seed);
      }};
}

}  // namespace geodome::internal
