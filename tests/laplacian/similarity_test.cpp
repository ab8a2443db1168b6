#include "geodome/laplacian/similarity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

double perplexity_of(const Eigen::RowVectorXd& row) {
  double entropy = 0;
  for (const double p : row)
    if (p > 0) entropy -= p * std::log(p);
  return std::exp(entropy);
}

TEST(NeighbourProbabilities, HaveThePerplexityAskedForAtAnyScale) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  const RowMatrix<double> points =
      RowMatrix<double>::NullaryExpr(200, 4, [&] { return std::exp(normal(random)); });
  RowMatrix<double> reference;
  for (const double scale : {1.0, 1e-8, 1e8})
    for (const double perplexity : {1.5, 5.0, 20.0}) {
      const Neighbours neighbours = nearest_neighbours(scale * points, 60);
      const RowMatrix<double> probability = neighbour_probabilities(neighbours, perplexity);
      for (Index v = 0; v < 200; ++v) {
        EXPECT_NEAR(probability.row(v).sum(), 1, 1e-12);
        EXPECT_NEAR(perplexity_of(probability.row(v)), perplexity, 1e-6 * perplexity);
        for (Index i = 1; i < 60; ++i) EXPECT_LE(probability(v, i), probability(v, i - 1));
      }
      if (scale == 1 && perplexity == 20) reference = probability;
      if (scale != 1 && perplexity == 20) {
        EXPECT_LE((probability - reference).cwiseAbs().maxCoeff(), 1e-8);
      }
    }
}

TEST(NeighbourProbabilities, StayPositiveBesideCrowdsOfDuplicates) {
  Neighbours neighbours;
  neighbours.distance.resize(3, 6);
  neighbours.distance << 0, 0, 0, 0, 1, 2,  // more duplicates than the perplexity
      0, 0, 0, 0, 0, 0,                     // nothing else
      3, 3, 3, 3, 3, 3;                     // all equally far
  neighbours.vertex = RowMatrix<Index>::Zero(3, 6);
  const RowMatrix<double> probability = neighbour_probabilities(neighbours, 2);
  EXPECT_GT(probability(0, 5), 1e-3);
  EXPECT_NEAR(probability.row(0).sum(), 1, 1e-12);
  for (Index v = 1; v < 3; ++v)
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(probability(v, i), 1.0 / 6, 1e-12);
}

TEST(NeighbourProbabilities, AreEqualWhereThePerplexityIsTooLarge) {
  Neighbours neighbours;
  neighbours.distance.resize(1, 4);
  neighbours.distance << 1, 2, 3, 4;
  neighbours.vertex = RowMatrix<Index>::Zero(1, 4);
  EXPECT_LE((neighbour_probabilities(neighbours, 4).array() - 0.25).abs().maxCoeff(), 1e-12);
  EXPECT_THROW(neighbour_probabilities(neighbours, 1), InputError);
  EXPECT_THROW(neighbour_probabilities(neighbours, std::nan("")), InputError);
}

}  // namespace
}  // namespace geodome::internal
