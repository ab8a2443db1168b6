#include "geodome/cell/cell_polynomial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace geodome::internal {
namespace {

TEST(CellPolynomial, MonomialsAreAllOfDegreeThree) {
  const Eigen::Vector3d at(0.5, -0.7, 0.3);
  const Monomials values = monomials({}, at);
  std::vector<double> expected;
  for (int degree = 0; degree <= 3; ++degree)
    for (int a = degree; a >= 0; --a)
      for (int b = degree - a; b >= 0; --b)
        expected.push_back(std::pow(at[0], a) * std::pow(at[1], b) * std::pow(at[2], degree - a - b));
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(most_monomials));
  for (std::size_t k = 0; k < expected.size(); ++k)
    EXPECT_NEAR(values[static_cast<Eigen::Index>(k)], expected[k], 1e-15) << k;
  EXPECT_EQ(monomial_counts[0], 1 + 3 + 6) << "the first are those of degree two";
}

TEST(CellPolynomial, AreTheSameInAnyUnit) {
  const std::vector<double> points{1, 2, 3, 4, 6, 3, 1, 2, 4};
  std::vector<double> larger;
  for (const double x : points) larger.push_back(1024 * x);
  const std::vector<float> single(points.begin(), points.end());
  const std::vector<Index> support{1, 2};
  const auto values = [&](const CellPositions& positions) {
    return monomials(cell_frame(positions, 0, support), positions[1]);
  };
  const Monomials expected = values({.exact = points});
  EXPECT_EQ(values({.exact = larger}), expected);
  EXPECT_EQ(values({.single = single}), expected);
  EXPECT_NEAR(expected[1], 0.6, 1e-15) << "x in units of the farthest landmark";
}

TEST(CellPolynomial, AFrameOfOnePlaceHasAUnit) {
  const std::vector<double> points(6, 7.0);
  const CellFrame frame = cell_frame({.exact = points}, 0, std::vector<Index>{0, 1});
  EXPECT_EQ(frame.unit, 1);
}

TEST(CellPolynomial, CodesAreRoundedAndBounded) {
  const Monomials values = monomials({}, {2, 3, 5});
  EXPECT_EQ(polynomial_code(std::vector<double>{0.25, 1, 0, 0}, values), 2);
  EXPECT_EQ(polynomial_code(std::vector<double>{0.75, 0, -1}, values), -2);
  EXPECT_EQ(polynomial_code(std::vector<double>{1e9}, values), 32000);
  EXPECT_EQ(polynomial_code(std::vector<double>{-1e9}, values), -32000);
}

}  // namespace
}  // namespace geodome::internal
