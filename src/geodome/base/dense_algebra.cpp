#include "geodome/base/dense_algebra.h"

#include <Spectra/SymEigsSolver.h>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <utility>

namespace geodome::internal {
namespace {

/// What Spectra asks of an operator.
struct Operator {
  using Scalar = double;

  Eigen::Index size;
  const std::function<void(const double*, double*)>& product;

  Eigen::Index rows() const { return size; }
  Eigen::Index cols() const { return size; }
  void perform_op(const double* in, double* out) const { product(in, out); }
};

}  // namespace

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector symmetric_eigenvalues(const Eigen::MatrixXd& matrix) {
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(matrix, Eigen::EigenvaluesOnly).eigenvalues();
}

struct ThinQr::Decomposition {
  Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>> qr;
};

ThinQr::ThinQr(Eigen::MatrixXd A)
    : A_(std::move(A)),
      decomposition_(new Decomposition{Eigen::HouseholderQR<Eigen::Ref<Eigen::MatrixXd>>(A_)}) {
  R_ = A_.topRows(std::min(A_.rows(), A_.cols())).triangularView<Eigen::Upper>();
}

ThinQr::~ThinQr() = default;

Eigen::MatrixXd ThinQr::times(const Eigen::MatrixXd& X) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(A_.rows(), X.cols());
  result.topRows(R_.rows()) = X;
  result.applyOnTheLeft(decomposition_->qr.householderQ());
  return result;
}

Eigen::MatrixXd orthonormal(const Eigen::MatrixXd& vectors) {
  const ThinQr qr(vectors);
  return qr.times(Eigen::MatrixXd::Identity(qr.R().rows(), vectors.cols()));
}

SymmetricEigen lanczos(Index size, const std::function<void(const double*, double*)>& product,
                       const LanczosOptions& options) {
  Operator operation{size, product};
  Spectra::SymEigsSolver<Operator> solver(operation, options.wanted, options.steps);
  if (options.start)
    solver.init(options.start->data());
  else
    solver.init();
  solver.compute(Spectra::SortRule::LargestAlge, options.iterations, options.tolerance);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace geodome::internal
