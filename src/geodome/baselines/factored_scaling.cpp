#include "geodome/baselines/factored_scaling.h"

#include <Eigen/QR>
#include <algorithm>

#include "geodome/base/error.h"
#include "geodome/embedding/eigenpairs.h"

namespace geodome {
namespace {

constexpr double gigabyte = 1e9;

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
                       const EmbeddingOptions& options) {
  Eigen::MatrixXd S = centred_factors(matrix.factors(), vertices);
  const Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr(S);  // in place
  const Eigen::Index rank = std::min(qr.matrixQR().rows(), qr.matrixQR().cols());
  const Eigen::MatrixXd R = qr.matrixQR().topRows(rank).triangularView<Eigen::Upper>();
  const RowMatrix<double> B = small_form(R, matrix, matrix.component(vertices.front())) / -2;
  // Residuals here are those of the whole problem: Q has orthonormal columns.
  const TopEigenpairs top = top_eigenpairs(
      static_cast<Index>(rank), [&](const RowMatrix<double>& X) -> RowMatrix<double> { return B * X; },
      {count, options.tolerance / 10, options.seed});
  Eigen::MatrixXd carried = Eigen::MatrixXd::Zero(qr.matrixQR().rows(), count);
  carried.topRows(rank) = top.vectors;
  carried.applyOnTheLeft(qr.householderQ());
  return {top.values, std::move(carried)};
}

}  // namespace

std::int64_t factored_scaling_bytes(const FactoredMatrix& matrix) {
  return 8 * static_cast<std::int64_t>(matrix.factors().A.size() + matrix.factors().B.size());
}

Embedding embed_factored(const FactoredMatrix& squared, const EmbeddingOptions& options,
                         const Execution& execution) {
  if (factored_scaling_bytes(squared) > options.memory_bound)
    throw InputError(text("the QR decomposition of ", squared.size(), " vertices takes ",
                          static_cast<double>(factored_scaling_bytes(squared)) / gigabyte,
                          " GB, above the bound of ", static_cast<double>(options.memory_bound) / gigabyte,
                          " GB: use Lanczos iteration, which gives the same, or fewer landmarks"));
  return embed_by(
      squared,
      [&](const std::vector<Index>& vertices, Index count) {
        execution.report("classical scaling", 0);
        return scale_part(squared, vertices, count, options);
      },
      options, execution);
}

}  // namespace geodome
