#include "geodome/matrix/packed_symmetric.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "geodome/base/error.h"
#include "matrix/revealing_check.h"

namespace geodome::internal {
namespace {

using Power = PackedSymmetric::Power;

/// Random small integers, so that every storage type holds them exactly.
struct Random {
  explicit Random(Index size) : dense(size, size) {
    std::mt19937 random(3);
    for (Index r = 0; r < size; ++r)
      for (Index c = 0; c <= r; ++c) {
        const auto number = random() % 1000;
        dense(r, c) = dense(c, r) = number;
        narrow.push_back(static_cast<std::uint16_t>(number));
        single.push_back(static_cast<float>(number));
        wide.push_back(number);
      }
  }
  std::vector<PackedSymmetric> all(double step) const {
    const auto size = static_cast<Index>(dense.rows());
    return {PackedSymmetric(size, std::span(single), step), PackedSymmetric(size, std::span(narrow), step),
            PackedSymmetric(size, std::span(wide), step)};
  }
  Eigen::MatrixXd dense;
  std::vector<std::uint16_t> narrow;
  std::vector<float> single;
  std::vector<double> wide;
};

Weights some_weights(Index size, unsigned keep, unsigned seed, Eigen::VectorXd& dense) {
  std::mt19937 random(seed);
  Weights weights;
  dense = Eigen::VectorXd::Zero(size);
  for (Index k = 0; k < size; ++k)
    if (random() % 100 < keep) {
      dense[k] = static_cast<double>(random() % 200) / 100 - 1;
      weights.add(k, dense[k]);
    }
  return weights;
}

TEST(PackedSymmetric, FormsAndProductsEqualDenseOnes) {
  const double step = 0.25;
  for (const Index size : {1, 2, 7, 64, 150, 700}) {
    const Random random(size);
    for (const Power power : {Power::one, Power::two}) {
      Eigen::MatrixXd W = random.dense * step;
      if (power == Power::two) W = W.cwiseProduct(W).eval();
      for (const PackedSymmetric& matrix : random.all(step)) {
        for (const unsigned keep : {0, 10, 50, 100}) {
          Eigen::VectorXd a, b;
          const Weights first = some_weights(size, keep, 1, a), second = some_weights(size, keep, 2, b);
          const double allowed = 1e-12 * (1 + W.maxCoeff() * size * size);
          EXPECT_NEAR(matrix.bilinear(first, second, power), a.dot(W * b), allowed);
          EXPECT_NEAR(matrix.quadratic(first, power), a.dot(W * a), allowed);
          const std::vector<double> z = matrix.times(first, power);
          for (Index k = 0; k < size; ++k) EXPECT_NEAR(z[k], (W * a)[k], allowed);
        }
        const Vector x = Vector::Random(size);
        for (const int ranks : {1, 3}) {
          Vector sum = Vector::Zero(size);
          for (int rank = 0; rank < ranks; ++rank) sum += matrix.times_part(rank, ranks, x, power, {2, {}});
          EXPECT_LE((sum - W * x).cwiseAbs().maxCoeff(), 1e-12 * (1 + W.maxCoeff() * size));
        }
        for (const Index columns : {1, 3, 4, 17, 38}) {
          const RowMatrix<double> X = RowMatrix<double>::Random(size, columns);
          const RowMatrix<double> product = matrix.times(X, power);
          ASSERT_EQ(product.cols(), columns);
          EXPECT_LT((product - W * X).cwiseAbs().maxCoeff(), 1e-13 * (1 + W.maxCoeff()) * size);
          EXPECT_EQ(product, matrix.times(X, power, Execution{3, {}}));
        }
        if (power == Power::two) continue;
        for (Index r = 0; r < size; ++r)
          for (Index c = 0; c < size; ++c) EXPECT_EQ(matrix(r, c), W(r, c));
      }
    }
  }
}

TEST(PackedSymmetric, ChecksWhatItReadsOfALargeMatrix) {
  const Index size = 2960;  // more than what is checked as a whole
  const Random random(size);
  const PackedSymmetric sound(size, std::span<const float>(random.single));
  std::mt19937 generator(5);
  for (int repeat = 0; repeat < 20; ++repeat) {
    // Two places with some columns around each, as of two far vertices.
    Weights a, b;
    for (Weights* weights : {&a, &b})
      for (const Index begin :
           {static_cast<Index>(generator() % 1400), static_cast<Index>(1500 + generator() % 1400)})
        for (Index k = begin; k < begin + 50; k += 1 + static_cast<Index>(generator() % 3))
          weights->add(k, 0.5);
    for (const Power power : {Power::one, Power::two}) {
      RevealingCheck check;
      const PackedSymmetric hidden(size, check.hide(std::span<const float>(random.single)), 1, &check);
      EXPECT_EQ(hidden.bilinear(a, b, power), sound.bilinear(a, b, power));
      EXPECT_LT(check.asked(), sizeof(float) * random.single.size() / 10);
      RevealingCheck other;
      const PackedSymmetric again(size, other.hide(std::span<const float>(random.single)), 1, &other);
      EXPECT_EQ(again.quadratic(a, power), sound.quadratic(a, power));
      EXPECT_EQ(again(a.column[0], b.column[3]), sound(a.column[0], b.column[3]));
    }
  }
}

TEST(PackedSymmetric, RefusesOtherSizes) {
  const Random random(5);
  EXPECT_THROW(PackedSymmetric(4, std::span(random.single)), InputError);
  EXPECT_THROW(PackedSymmetric(-6, std::span(random.single)), InputError);
  EXPECT_THROW(random.all(1)[0].times(RowMatrix<double>::Ones(4, 1)), InputError);
}

TEST(Weights, CombineMergesColumns) {
  Eigen::VectorXd a, b;
  const Weights first = some_weights(40, 50, 1, a), second = some_weights(40, 30, 2, b);
  const Weights both = combine(2, first, -0.5, second);
  Eigen::VectorXd result = Eigen::VectorXd::Zero(40);
  for (std::size_t k = 0; k < both.size(); ++k) {
    EXPECT_TRUE(k == 0 || both.column[k] > both.column[k - 1]);
    result[both.column[k]] = both.value[k];
  }
  EXPECT_EQ(result, 2 * a - 0.5 * b);
  EXPECT_NEAR(sum(both), result.sum(), 1e-12);
}

}  // namespace
}  // namespace geodome::internal
