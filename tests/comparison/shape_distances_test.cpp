#include "geodome/comparison/shape_distances.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

RowMatrix<double> ellipsoid(double a, double b, double c) {
  RowMatrix<double> points = make_sphere(4).points;
  points.col(0) *= a;
  points.col(1) *= b;
  points.col(2) *= c;
  return points;
}

TEST(ShapeDistances, AreSymmetricScaledAndZeroForTheSameShape) {
  const std::vector<RowMatrix<double>> forms = {ellipsoid(3, 2, 1), ellipsoid(1, 3, 2), ellipsoid(3, 1, 1),
                                                ellipsoid(6, 4, 2)};
  const ShapeDistances result = shape_distances(forms);
  EXPECT_EQ(result.distances, RowMatrix<double>(result.distances.transpose()));
  EXPECT_EQ(result.distances.diagonal().norm(), 0);
  EXPECT_LE(result.distances(0, 1), 1e-6);  // the same, its axes in another order
  EXPECT_GE(result.distances(0, 2), 0.1);
  EXPECT_GE(result.distances(0, 3), 0.2);
  std::vector<RowMatrix<double>> larger = forms;
  for (RowMatrix<double>& form : larger) form *= 0x1p27;  // without rounding, which decides ties of symmetry
  EXPECT_LE((shape_distances(larger).distances - result.distances).norm(), 1e-9);
  ShapeDistanceOptions any_size;
  any_size.ignore_size = true;
  EXPECT_LE(shape_distances(forms, any_size).distances(0, 3), 1e-6);
  EXPECT_EQ(shape_distances(forms, {}, Execution{1}).distances,
            shape_distances(forms, {}, Execution{3}).distances);
}

TEST(ShapeDistances, RefuseAFormWithoutExtent) {
  EXPECT_THROW(shape_distances({ellipsoid(1, 1, 1), RowMatrix<double>::Ones(5, 3)}), InputError);
  EXPECT_EQ(shape_distances({}).distances.size(), 0);
}

}  // namespace
}  // namespace geodome::internal
