#include "geodome/evaluation/spot_check.h"

#include <gtest/gtest.h>

#include "geodome/geodesic/factory.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(SpotCheck, FindsNothingOnExactDistances) {
  const auto solver = make_solver(apart(make_sphere(5), make_plane(9, 8)));
  const FullMatrix exact = full_matrix(*solver, DistanceKind::distance, std::int64_t{1} << 30);
  const std::vector<Index> component = exact.component_labels();
  const SpotRows rows = measure_spot_rows(*solver, component, 6, 3);
  EXPECT_EQ(rows.vertices.size(), 6u);
  const SpotCheck check = check_spots(exact, rows);
  EXPECT_EQ(check.rows, 6);
  EXPECT_LT(check.mean_relative_error, 1e-6);
  EXPECT_LT(check.largest_ratio, 1 + 1e-6);
  EXPECT_TRUE(spot_warnings(check).empty());
}

TEST(SpotCheck, CountsWhatIsOff) {
  // Four points on a line, one of whose distances is five times too long.
  RowMatrix<double> K(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) K(i, j) = std::abs(i - j);
  SpotRows rows{{0, 2}, RowMatrix<float>(2, 4)};
  rows.distances << K.row(0).cast<float>(), K.row(2).cast<float>();
  K(0, 1) = K(1, 0) = 5;
  const SpotCheck check = check_spots(FullMatrix(K, DistanceKind::distance), rows);
  EXPECT_DOUBLE_EQ(check.mean_relative_error, 4.0 / 6);
  EXPECT_DOUBLE_EQ(check.largest_ratio, 5);
  EXPECT_DOUBLE_EQ(check.ratio_distance, 1);
  EXPECT_DOUBLE_EQ(check.ratio_share, 1.0 / 6);
  EXPECT_EQ(spot_warnings(check).size(), 2u);
  const RowMatrix<double> squares = K.cwiseAbs2();
  EXPECT_DOUBLE_EQ(check_spots(FullMatrix(squares, DistanceKind::squared), rows).largest_ratio, 5);
}

TEST(SpotCheck, AZeroBetweenDistinctPointsIsInfinitelyFarOff) {
  RowMatrix<double> K = RowMatrix<double>::Zero(3, 3);
  SpotRows rows{{1}, RowMatrix<float>::Constant(1, 3, 2)};
  const SpotCheck check = check_spots(FullMatrix(K, DistanceKind::distance), rows);
  EXPECT_EQ(check.largest_ratio, infinity);
  EXPECT_FALSE(spot_warnings(check).empty());
}

}  // namespace
}  // namespace geodome::internal
