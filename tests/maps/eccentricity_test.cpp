/// Eccentricities are the largest entries of rows, found from some of them.
#include "geodome/maps/eccentricity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "maps/map_cases.h"

namespace geodome::testing {
namespace {

double largest_finite(const RowMatrix<double>& all, Index row) {
  double largest = 0;
  for (const double d : all.row(row))
    if (d < infinity) largest = std::max(largest, d);
  return largest;
}

std::vector<Shape> shapes() {
  return {make_sphere(6), make_plane(17, 9), make_torus(24, 10), internal::make_creature(500).stretched,
          side_by_side(make_sphere(4), make_plane(5, 12))};
}

TEST(Eccentricity, IsTheLargestEntryOfEveryRow) {
  for (const Shape& shape : shapes()) {
    const auto full = all_distances_of(shape);
    const Eccentricity found = eccentricity(full, {.tolerance = 0, .most_rows = 0});
    double diameter = 0;
    for (Index v = 0; v < full.size(); ++v) {
      const double truth = largest_finite(full.values(), v);
      ASSERT_NEAR(found.eccentricity[v], truth, 1e-9 * truth) << v;
      ASSERT_NEAR(full.values()(v, found.farthest[v]), truth, 1e-9 * truth);
      diameter = std::max(diameter, truth);
    }
    EXPECT_NEAR(found.diameter, diameter, 1e-9 * diameter);
    EXPECT_NEAR(full.values()(found.from, found.to), diameter, 1e-9 * diameter);
    EXPECT_NEAR(largest_finite(full.values(), found.centre), found.radius, 1e-9 * diameter);
  }
}

TEST(Eccentricity, KeepsItsBoundWithFewerRows) {
  for (const Shape& shape : shapes()) {
    const auto full = all_distances_of(shape);
    std::int64_t rows = full.size() + 1;
    for (const double tolerance : {0.0, 0.05, 0.2}) {
      const Eccentricity found = eccentricity(full, {.tolerance = tolerance, .most_rows = 0});
      EXPECT_LE(found.bound, tolerance * found.diameter * (1 + 1e-12));
      EXPECT_LE(found.rows, rows + 24);  // the first rows are added twice
      rows = found.rows;
      for (Index v = 0; v < full.size(); ++v) {
        const double truth = largest_finite(full.values(), v);
        ASSERT_LE(found.eccentricity[v], truth * (1 + 1e-12));
        ASSERT_GE(found.eccentricity[v], truth - found.bound - 1e-9 * truth);
      }
    }
    EXPECT_LT(rows, full.size() / 4);
  }
}

TEST(Eccentricity, StatesItsBoundWhereItEndsEarly) {
  const auto full = all_distances_of(make_sphere(6));
  const Eccentricity found = eccentricity(full, {.tolerance = 0, .most_rows = 10});
  EXPECT_EQ(found.rows, 10);
  EXPECT_GT(found.bound, 0);
  for (Index v = 0; v < full.size(); ++v)
    EXPECT_GE(found.eccentricity[v], largest_finite(full.values(), v) - found.bound);
}

TEST(Eccentricity, RefusesToleranceOutOfRange) {
  const auto full = all_distances_of(make_plane(3, 3));
  for (const double wrong : {-0.1, 1.5, std::nan("")})
    EXPECT_THROW(eccentricity(full, {.tolerance = wrong}), InputError);
  EXPECT_THROW(eccentricity(full, {.most_rows = -1}), InputError);
}

}  // namespace
}  // namespace geodome::testing
