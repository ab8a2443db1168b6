#include "geodome/laplacian/eigen.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/base/dense_algebra.h"
#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"

namespace geodome::internal {
namespace {

constexpr double residual_bound = 1e-6;
/// Below this a dense solve takes a fraction of a second and cannot fail.
constexpr Index dense_size = 200;

/// σ D^½ (L + σD)⁻¹ D^½ on the complement of the vectors taken out. Its eigenvalues σ / (λ + σ) are in (0, 1]
/// whatever the size of the shape.
class InverseOperator {
 public:
  InverseOperator(const Laplacian& laplacian, double shift, const Execution& execution)
      : root_(laplacian.mass.cwiseSqrt()),
        shift_(shift),
        factor_(shifted(laplacian, shift)),
        execution_(execution) {}

  Eigen::Index rows() const { return root_.size(); }
  void take_out(const Eigen::MatrixXd& vectors) { out_ = vectors; }

  void perform_op(const double* in, double* out) const {
    // How many solves it takes is not known beforehand: each takes a part of what is left.
    execution_.report("eigenvectors", share_);
    share_ += 0.005 * (1 - share_);
    Vector x = Eigen::Map<const Vector>(in, rows());
    project(x);
    Vector y = shift_ * root_.cwiseProduct(factor_.solve(Vector(root_.cwiseProduct(x))));
    project(y);
    Eigen::Map<Vector>(out, rows()) = y;
  }

  /// Vectors of the original problem from those of this operator; also fills in vertices without mass.
  Eigen::MatrixXd original(const Eigen::MatrixXd& vectors) const {
    return factor_.solve(RowMatrix<double>(root_.asDiagonal() * vectors));
  }

 private:
  static SparseMatrix shifted(const Laplacian& laplacian, double shift) {
    SparseMatrix matrix = laplacian.stiffness;
    const double scale = matrix.diagonal().maxCoeff();
    for (Index v = 0; v < matrix.rows(); ++v) {
      double& diagonal = matrix.coeffRef(v, v);
      diagonal += shift * laplacian.mass[v];
      if (diagonal == 0) diagonal = scale > 0 ? scale : 1;  // an unreferenced vertex: any value, never used
    }
    return matrix;
  }
  void project(Vector& x) const {
    if (out_.cols() > 0) x -= out_ * (out_.transpose() * x);
  }

  Vector root_;
  double shift_;
  SparseCholesky factor_;
  const Execution& execution_;
  mutable double share_ = 0;
  Eigen::MatrixXd out_;
};

void append(Eigen::MatrixXd& vectors, const Eigen::MatrixXd& more) {
  const Eigen::Index before = vectors.cols();
  vectors.conservativeResize(more.rows(), before + more.cols());
  vectors.rightCols(more.cols()) = more;
}

/// D^½ times the wanted vectors (and possibly a few more), as an orthonormal basis.
Eigen::MatrixXd lanczos_basis(InverseOperator& inverse, Index count) {
  Eigen::MatrixXd basis(inverse.rows(), 0);
  Vector values(0);
  for (;;) {
    const Index missing = std::max<Index>(1, count - static_cast<Index>(basis.cols()));
    const Index steps =
        std::min<Index>(static_cast<Index>(inverse.rows() - basis.cols()), std::max<Index>(30, 3 * missing));
    if (missing >= steps) return basis;
    inverse.take_out(basis);
    const SymmetricEigen found = lanczos(static_cast<Index>(inverse.rows()),
                                         [&](const double* in, double* out) { inverse.perform_op(in, out); },
                                         {.wanted = missing, .steps = steps});
    if (found.values.size() == 0)
      throw NumericalError(
          text("no eigenvalue converged in 1000 iterations; ", basis.cols(), " of ", count, " were found"));
    // A single starting vector sees a multiple eigenvalue once: go on until nothing larger comes.
    if (basis.cols() >= count) {
      std::sort(values.begin(), values.end(), std::greater<>());
      if (found.values[0] <= values[count - 1] * (1 + 1e-9)) return basis;
    }
    append(basis, found.vectors);
    basis = orthonormal(basis);
    values.conservativeResize(basis.cols());
    values.tail(found.values.size()) = found.values;
  }
}

/// Rayleigh-Ritz: the best D-orthonormal eigenvectors within the span of `vectors`, the `count` smallest.
Eigenpairs ritz_pairs(const Laplacian& laplacian, const Eigen::MatrixXd& vectors, Index count) {
  const Eigen::MatrixXd stiffness = vectors.transpose() * (laplacian.stiffness * vectors);
  const Eigen::MatrixXd mass = vectors.transpose() * (laplacian.mass.asDiagonal() * vectors);
  const Eigen::LLT<Eigen::MatrixXd> root(mass);
  Eigen::MatrixXd reduced = stiffness.selfadjointView<Eigen::Lower>();
  root.matrixL().solveInPlace<Eigen::OnTheLeft>(reduced);
  root.matrixU().solveInPlace<Eigen::OnTheRight>(reduced);
  SymmetricEigen ritz = symmetric_eigen(reduced);
  root.matrixU().solveInPlace(ritz.vectors);
  Eigenpairs pairs;
  pairs.values = ritz.values.head(count).cwiseMax(0.0);
  pairs.vectors = vectors * ritz.vectors.leftCols(count);
  return pairs;
}

void check_residuals(const Laplacian& laplacian, double shift, Eigenpairs& pairs) {
  pairs.residuals.resize(pairs.values.size());
  for (Eigen::Index k = 0; k < pairs.values.size(); ++k) {
    const Vector weighted = laplacian.mass.cwiseProduct(pairs.vectors.col(k));
    const Vector rest = laplacian.stiffness * pairs.vectors.col(k) - pairs.values[k] * weighted;
    pairs.residuals[k] = rest.norm() / ((pairs.values[k] + shift) * weighted.norm());
    if (!(pairs.residuals[k] <= residual_bound))
      throw NumericalError(text("eigenpair ", k, " has a relative residual of ", pairs.residuals[k],
                                ", above ", residual_bound, "; the mesh may have nearly degenerate faces"));
  }
}

}  // namespace

Eigenpairs low_eigenpairs(const Laplacian& laplacian, Index count, const Execution& execution) {
  const Index size = static_cast<Index>(laplacian.mass.size());
  const Index massive = static_cast<Index>((laplacian.mass.array() > 0).count());
  if (count < 1 || count > massive)
    throw InputError(
        text(count, " eigenpairs were requested, but the shape has only ", massive, " vertices with mass"));
  // Of the order of the first non-zero eigenvalue of a compact surface, and never zero.
  const double trace = laplacian.stiffness.diagonal().sum();
  const double shift = (trace > 0 ? trace : 1) / laplacian.mass.sum() / massive;
  InverseOperator inverse(laplacian, shift, execution);
  Eigen::MatrixXd basis;
  if (massive <= dense_size || 3 * count > massive) {
    basis = Eigen::MatrixXd::Zero(size, massive);
    for (Index v = 0, column = 0; v < size; ++v)
      if (laplacian.mass[v] > 0) basis(v, column++) = 1;
  } else {
    basis = lanczos_basis(inverse, count);
  }
  // The scale of the vectors is free: near one it keeps the small dense problem away from underflow.
  Eigen::MatrixXd vectors = inverse.original(basis);
  vectors /= vectors.cwiseAbs().maxCoeff();
  Eigenpairs pairs = ritz_pairs(laplacian, vectors, count);
  check_residuals(laplacian, shift, pairs);
  return pairs;
}

}  // namespace geodome::internal
