#include "geodome/embedding/eigenpairs.h"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>
#include <random>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// A symmetric matrix with the given eigenvalues, all others zero, in random directions.
Eigen::MatrixXd with_spectrum(Index size, const std::vector<double>& values, unsigned seed = 5) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const Eigen::MatrixXd noise = Eigen::MatrixXd::NullaryExpr(size, static_cast<Eigen::Index>(values.size()),
                                                             [&](auto, auto) { return normal(random); });
  const Eigen::MatrixXd Q = noise.householderQr().householderQ() *
                            Eigen::MatrixXd::Identity(size, static_cast<Eigen::Index>(values.size()));
  const Vector lambda = Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
  return Q * lambda.asDiagonal() * Q.transpose();
}

BlockProduct product_with(const Eigen::MatrixXd& B) {
  return [&B](const RowMatrix<double>& X) -> RowMatrix<double> { return B * X; };
}

void expect_pairs(const Eigen::MatrixXd& B, std::vector<double> expected, const std::string& name) {
  EigenpairOptions options;
  options.count = static_cast<Index>(expected.size());
  const TopEigenpairs pairs = top_eigenpairs(static_cast<Index>(B.rows()), product_with(B), options);
  EXPECT_TRUE(pairs.converged) << name;
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (Index k = 0; k < options.count; ++k) {
    EXPECT_NEAR(pairs.values[k], expected[k], 1e-9 * largest) << name << ", eigenvalue " << k;
    const Vector v = pairs.vectors.col(k);
    EXPECT_LE((B * v - pairs.values[k] * v).norm(), 1e-6 * largest) << name << ", vector " << k;
    for (Index other = 0; other < k; ++other)
      EXPECT_LE(std::abs(v.dot(pairs.vectors.col(other))), 1e-9) << name;
    if (pairs.values[k] > 1e-9 * largest) {
      EXPECT_NEAR(v.norm(), 1, 1e-9) << name;
    }
  }
}

TEST(TopEigenpairs, OfEverySpectrumAndSize) {
  for (const Index size : {3, 40, 256, 257, 600}) {
    expect_pairs(with_spectrum(size, {5, 3, 1}), {5, 3, 1}, "apart");
    if (size < 40) continue;
    expect_pairs(with_spectrum(size, {5, 3, 2, 1.9, 1.8, 1, -1, -4}), {5, 3, 2}, "mixed");
    expect_pairs(with_spectrum(size, {7, 7, 7, 7, 6, 5, 4, 3, 2, 1}), {7, 7, 7, 7}, "repeated");
    expect_pairs(with_spectrum(size, {7, 2, 2, 2, 2, 2, 2, 1, 1, -1}), {7, 2, 2}, "repeated at the end");
    expect_pairs(with_spectrum(size, {4}), {4, 0, 0}, "rank one");
    expect_pairs(with_spectrum(size, {4, 4}), {4, 4, 0}, "rank two, repeated");
    expect_pairs(with_spectrum(size, {2, -9, -9, -8}), {2, 0, 0}, "one positive");
    expect_pairs(with_spectrum(size, {3, 1, 0.5, 1e-3, -30}), {3, 1, 0.5}, "a large negative one");
  }
}

TEST(TopEigenpairs, ScaleWithTheOperator) {
  for (const double scale : {1e-16, 1e16})
    expect_pairs(with_spectrum(300, {5 * scale, 3 * scale, 2 * scale, scale, -scale}),
                 {5 * scale, 3 * scale, 2 * scale}, text("scaled by ", scale));
}

TEST(TopEigenpairs, OfAZeroOperatorAreZero) {
  const Eigen::MatrixXd zero = Eigen::MatrixXd::Zero(400, 400);
  const TopEigenpairs pairs = top_eigenpairs(400, product_with(zero));
  EXPECT_TRUE(pairs.converged);
  EXPECT_EQ(pairs.values, Vector(Vector::Zero(3)));
  EXPECT_EQ(pairs.vectors.norm(), 0);
}

TEST(TopEigenpairs, OfADenseSpectrumTakeFewProducts) {
  std::vector<double> values;
  for (int k = 0; k < 300; ++k) values.push_back(std::pow(k + 1.0, -2));
  const Eigen::MatrixXd B = with_spectrum(500, values);
  const TopEigenpairs pairs = top_eigenpairs(500, product_with(B));
  EXPECT_TRUE(pairs.converged);
  EXPECT_LE(pairs.products, 70);
}

TEST(TopEigenpairs, AdmitThatTheyDidNotConverge) {
  // Not symmetric, so that nothing is an eigenvector of it.
  Eigen::MatrixXd shift = Eigen::MatrixXd::Zero(400, 400);
  for (Index k = 0; k + 1 < 400; ++k) shift(k, k + 1) = 1;
  EXPECT_FALSE(top_eigenpairs(400, product_with(shift)).converged);
}

TEST(TopEigenpairs, PassOnWhatTheOperatorThrows) {
  int products = 0;
  const BlockProduct product = [&](const RowMatrix<double>& X) -> RowMatrix<double> {
    if (++products > 4) throw Cancelled();
    return X;
  };
  EXPECT_THROW(top_eigenpairs(400, product), Cancelled);
  EXPECT_THROW(top_eigenpairs(400, product, {.count = 0}), InputError);
}

}  // namespace
}  // namespace geodome::internal
