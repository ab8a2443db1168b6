#pragma once
/// Shapes with what classical scaling needs, and comparisons of point sets up to what it cannot know.

#include <Eigen/SVD>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "geodome/embedding/embedding.h"
#include "geodome/matrix/full_matrix.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {

inline RowMatrix<double> random_points(Index count, Index dimension, unsigned seed, double scale = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  RowMatrix<double> points(count, dimension);
  for (Index i = 0; i < count; ++i)
    for (Index k = 0; k < dimension; ++k) points(i, k) = scale * normal(random) * (dimension - k);
  return points;
}

/// Squared Euclidean distances between the rows.
inline FullMatrix squared_between(const RowMatrix<double>& points) {
  RowMatrix<double> E = RowMatrix<double>::Zero(points.rows(), points.rows());
  for (Eigen::Index i = 0; i < E.rows(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) E(i, j) = E(j, i) = (points.row(i) - points.row(j)).squaredNorm();
  return {std::move(E), DistanceKind::squared};
}

/// The largest distance left between the rows of A and B after the best rotation, reflection and
/// translation, relative to the extent of B.
inline double rigid_difference(RowMatrix<double> A, RowMatrix<double> B) {
  A.rowwise() -= A.colwise().mean().eval();
  B.rowwise() -= B.colwise().mean().eval();
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::NoQRPreconditioner> svd(
      A.transpose() * B, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::MatrixXd turn = svd.matrixU() * svd.matrixV().transpose();
  return (A * turn - B).rowwise().norm().maxCoeff() / B.rowwise().norm().maxCoeff();
}

/// Where every eigenvalue stands alone, axes agree up to their sign, which is fixed.
inline double largest_difference(const RowMatrix<double>& A, const RowMatrix<double>& B) {
  return (A - B).cwiseAbs().maxCoeff() / B.cwiseAbs().maxCoeff();
}

inline Embedding embed_by(const DistanceMatrix& matrix, ScalingMethod method, Index dimensions = 3) {
  EmbeddingOptions options;
  options.method = method;
  options.dimensions = dimensions;
  return embed(matrix, options);
}

}  // namespace geodome::internal
