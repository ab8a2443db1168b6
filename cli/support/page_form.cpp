#include "support/page_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geodome/base/dense_algebra.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Calls work(v, component, row of P) for all vertices that are in a component.
template <typename Work>
void for_each_row(const LandmarkMatrix& matrix, Work&& work) {
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    const Index c = matrix.component(v);
    if (c < 0) continue;
    matrix.read_weights(v, row);
    const Index first = matrix.first_landmark(c);
    for (Index& column : row.column) column += first;
    work(v, c, row);
  }
}

Eigen::RowVectorXd combination(const Weights& row, const RowMatrix<double>& Y) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(Y.cols());
  for (std::size_t k = 0; k < row.size(); ++k) sum += row.value[k] * Y.row(row.column[k]);
  return sum;
}

/// Pᵀ times the form.
RowMatrix<double> collected(const LandmarkMatrix& matrix, const RowMatrix<double>& form) {
  RowMatrix<double> sums =
      RowMatrix<double>::Zero(static_cast<Eigen::Index>(matrix.landmarks().size()), form.cols());
  for_each_row(matrix, [&](Index v, Index, const Weights& row) {
    for (std::size_t k = 0; k < row.size(); ++k) sums.row(row.column[k]) += row.value[k] * form.row(v);
  });
  return sums;
}

/// W∘W times numbers of the landmarks, each component by itself, centred and scaled.
RowMatrix<double> squared_product(const LandmarkMatrix& matrix, const RowMatrix<double>& X) {
  RowMatrix<double> result = RowMatrix<double>::Zero(X.rows(), X.cols());
  for (Index c = 0; c < matrix.components(); ++c) {
    const PackedSymmetric& W = matrix.W(c);
    const Index first = matrix.first_landmark(c);
    for (Index r = 0; r < W.size(); ++r)
      for (Index s = 0; s < W.size(); ++s) {
        const double d = W(std::max(r, s), std::min(r, s));
        result.row(first + r) += d * d * X.row(first + s);
      }
    auto own = result.middleRows(first, W.size());
    own.rowwise() -= own.colwise().mean().eval();
    for (Eigen::Index k = 0; k < own.cols(); ++k)
      if (const double largest = own.col(k).cwiseAbs().maxCoeff(); largest > 0) own.col(k) /= largest;
  }
  return result;
}

/// The smallest X that solves G X = B best, G being symmetric and perhaps singular.
Eigen::MatrixXd least_solution(const Eigen::MatrixXd& G, const Eigen::MatrixXd& B) {
  const SymmetricEigen eigen = symmetric_eigen(G);
  const double zero = std::numeric_limits<double>::epsilon() * static_cast<double>(G.rows()) *
                      eigen.values.cwiseAbs().maxCoeff();
  const Vector inverse =
      eigen.values.unaryExpr([&](double value) { return std::abs(value) > zero ? 1 / value : 0.0; });
  return eigen.vectors * (inverse.asDiagonal() * (eigen.vectors.transpose() * B));
}

/// For each component the affine map that brings P S nearest to the form: (#axes + 1) by #axes, the shift
/// last.
std::vector<Eigen::MatrixXd> nearest_maps(const LandmarkMatrix& matrix, const RowMatrix<double>& S,
                                          const RowMatrix<double>& form) {
  const Eigen::Index axes = S.cols();
  const auto components = static_cast<std::size_t>(matrix.components());
  std::vector<Eigen::MatrixXd> gram(components, Eigen::MatrixXd::Zero(axes + 1, axes + 1));
  std::vector<Eigen::MatrixXd> right(components, Eigen::MatrixXd::Zero(axes + 1, axes));
  Eigen::RowVectorXd one(axes + 1);
  for_each_row(matrix, [&](Index v, Index c, const Weights& row) {
    one << combination(row, S), 1.0;
    gram[static_cast<std::size_t>(c)] += one.transpose() * one;
    right[static_cast<std::size_t>(c)] += one.transpose() * form.row(v);
  });
  for (std::size_t c = 0; c < components; ++c) right[c] = least_solution(gram[c], right[c]);
  return right;
}

}  // namespace

std::optional<RowMatrix<float>> landmark_form(const LandmarkMatrix& matrix, const RowMatrix<double>& form,
                                              double tolerance) {
  if (!form.allFinite()) return {};
  const RowMatrix<double> S = squared_product(matrix, collected(matrix, form));
  const std::vector<Eigen::MatrixXd> maps = nearest_maps(matrix, S, form);
  RowMatrix<float> Y(S.rows(), S.cols());
  for (Index c = 0; c < matrix.components(); ++c)
    for (Index r = 0; r < matrix.W(c).size(); ++r) {
      const Index at = matrix.first_landmark(c) + r;
      const Eigen::MatrixXd& map = maps[static_cast<std::size_t>(c)];
      Y.row(at) = (S.row(at) * map.topRows(S.cols()) + map.bottomRows(1)).cast<float>();
    }
  const RowMatrix<double> stored = Y.cast<double>();
  double off = 0;
  for_each_row(matrix, [&](Index v, Index, const Weights& row) {
    off = std::max(off, (combination(row, stored) - form.row(v)).cwiseAbs().maxCoeff());
  });
  for (Index v = 0; v < matrix.size(); ++v)
    if (matrix.component(v) < 0) off = std::max(off, form.row(v).cwiseAbs().maxCoeff());
  if (!(off <= tolerance)) return {};
  return Y;
}

}  // namespace geodome::cli
