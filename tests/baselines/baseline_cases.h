#pragma once
/// Small shapes with all that a rival is made of.

#include <gtest/gtest.h>

#include "geodome/baselines/landmark_columns.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {

/// A case of matrix_cases.h and its columns.
struct RivalCase {
  MatrixCase base;
  RowMatrix<float> C;

  LandmarkColumns columns() const { return {base.landmarks, C}; }
  Index size() const { return base.size(); }
};

inline RivalCase make_rival_case(std::string name, TriangleMesh mesh, Index landmarks) {
  RivalCase one{make_case(std::move(name), std::move(mesh), landmarks), {}};
  const OrderedLandmarks& order = one.base.landmarks;
  const RowMatrix<double> from = one.base.solver->between(order.vertices, everything(one.size()));
  RowMatrix<float> all = RowMatrix<float>::Zero(one.size(), static_cast<Eigen::Index>(order.vertices.size()));
  for (Index v = 0; v < one.size(); ++v)
    for (Eigen::Index k = 0; k < all.cols(); ++k)
      if (std::isfinite(from(k, v))) all(v, k) = static_cast<float>(from(k, v));
  for (std::size_t k = 0; k < order.vertices.size(); ++k)
    for (std::size_t other = 0; other < k; ++other) {
      float& there = all(order.vertices[k], static_cast<Eigen::Index>(other));
      float& back = all(order.vertices[other], static_cast<Eigen::Index>(k));
      there = back = (there + back) / 2;
    }
  one.C = own_columns(std::move(all), order);
  return one;
}

inline std::vector<RivalCase> rival_cases() {
  std::vector<RivalCase> cases;
  cases.push_back(make_rival_case("closed", make_sphere(5), 30));
  cases.push_back(make_rival_case("boundary", make_plane(13, 10), 25));
  cases.push_back(
      make_rival_case("two components and a stray vertex", apart(make_sphere(4), make_plane(9, 8)), 35));
  return cases;
}

/// All distances of the solver, both directions averaged, squared where `kind` says so.
inline Eigen::MatrixXd truth(const RivalCase& one, DistanceKind kind) {
  Eigen::MatrixXd K = one.base.solver->between(everything(one.size()), everything(one.size()));
  K = ((K + K.transpose()) / 2).eval();
  return kind == DistanceKind::squared ? Eigen::MatrixXd(K.cwiseAbs2()) : K;
}

inline Eigen::MatrixXd all_entries(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

/// The rows and columns of a matrix, one by one.
inline Eigen::MatrixXd pick(const Eigen::MatrixXd& M, const std::vector<Index>& rows,
                            const std::vector<Index>& columns) {
  Eigen::MatrixXd result(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
  for (Eigen::Index r = 0; r < result.rows(); ++r)
    for (Eigen::Index c = 0; c < result.cols(); ++c) result(r, c) = M(rows[r], columns[c]);
  return result;
}

/// X with A X = B, by elimination with row pivots: the textbook's way, cheap to compile.
inline Eigen::MatrixXd solution(Eigen::MatrixXd A, Eigen::MatrixXd B) {
  for (Eigen::Index k = 0; k < A.rows(); ++k) {
    Eigen::Index pivot = k;
    for (Eigen::Index r = k; r < A.rows(); ++r)
      if (std::abs(A(r, k)) > std::abs(A(pivot, k))) pivot = r;
    A.row(k).swap(A.row(pivot));
    B.row(k).swap(B.row(pivot));
    const Eigen::RowVectorXd row = A.row(k) / A(k, k), right = B.row(k) / A(k, k);
    for (Eigen::Index r = 0; r < A.rows(); ++r) {
      const double factor = r == k ? 0 : A(r, k);
      A.row(r) -= factor * row;
      B.row(r) -= factor * right;
    }
    A.row(k) = row;
    B.row(k) = right;
  }
  return B;
}

/// ε over finite entries; infinite where only one of them is.
inline double error_of(const DistanceMatrix& matrix, const Eigen::MatrixXd& K) {
  const Eigen::MatrixXd ours = all_entries(matrix);
  double wrong = 0, whole = 0;
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j) {
      if (std::isfinite(ours(i, j)) != std::isfinite(K(i, j))) return infinity;
      if (!std::isfinite(K(i, j))) continue;
      wrong += (ours(i, j) - K(i, j)) * (ours(i, j) - K(i, j));
      whole += K(i, j) * K(i, j);
    }
  return wrong / whole;
}

/// Symmetric, zero or infinite where it must be, and the same however it is asked.
inline void expect_consistent(const DistanceMatrix& matrix, const std::string& name) {
  const Eigen::MatrixXd K = all_entries(matrix);
  const double scale = largest_finite(K);
  EXPECT_LE(difference(K, K.transpose()), 1e-12) << name;
  const Pairs pairs = random_pairs(matrix.size(), 60);
  const Vector entries = matrix.entries(pairs.I, pairs.J), back = matrix.entries(pairs.J, pairs.I);
  const RowMatrix<double> block = matrix.block(pairs.I, pairs.J);
  for (Index k = 0; k < 60; ++k) {
    EXPECT_EQ(entries[k], back[k]) << name;
    for (const double other : {block(k, k), K(pairs.I[k], pairs.J[k])}) {
      EXPECT_EQ(std::isfinite(entries[k]), std::isfinite(other)) << name;
      if (std::isfinite(other)) {
        EXPECT_NEAR(entries[k], other, 1e-12 * scale) << name;
      }
    }
  }
  EXPECT_THROW(matrix.entries(std::array{0}, std::array{matrix.size()}), InputError) << name;
  const RowMatrix<double> X = RowMatrix<double>::Random(matrix.size(), 3);
  if (!K.allFinite()) {
    EXPECT_THROW(matrix.apply(X), InputError) << name;
    return;
  }
  const RowMatrix<double> product = K * X;
  EXPECT_LE((matrix.apply(X) - product).norm(), 1e-12 * product.norm()) << name;
  EXPECT_EQ(matrix.apply(X, Execution{1}), matrix.apply(X, Execution{3})) << name;
  EXPECT_THROW(matrix.apply(X.topRows(2)), InputError) << name;
}

}  // namespace geodome::internal
