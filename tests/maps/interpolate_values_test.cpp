/// Functions continued from some vertices to all.
#include "geodome/maps/interpolate_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geodome/shape/area.h"
#include "maps/map_cases.h"

namespace geodome::testing {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

RowMatrix<double> at_some(const RowMatrix<double>& values, Index step) {
  RowMatrix<double> some = RowMatrix<double>::Constant(values.rows(), values.cols(), missing);
  for (Index v = 0; v < values.rows(); v += step) some.row(v) = values.row(v);
  return some;
}

TEST(InterpolateValues, KeepsWhatIsGivenAndContinuesSmoothly) {
  const TriangleMesh sphere = make_sphere(12);
  const RowMatrix<double> truth = sphere.points;
  for (const Shape& shape : {Shape(sphere), Shape(PointCloud{sphere.points, {}})}) {
    const RowMatrix<double> full = interpolate_values(shape, at_some(truth, 20));
    for (Index v = 0; v < truth.rows(); v += 20) EXPECT_EQ(full.row(v), truth.row(v));
    EXPECT_LT((full - truth).cwiseAbs().maxCoeff(), 0.03);
  }
}

TEST(InterpolateValues, ReproducesConstantsAndScales) {
  for (const double scale : {1e-8, 1.0, 1e8}) {
    TriangleMesh mesh = make_torus(24, 12);
    mesh.points *= scale;
    const RowMatrix<double> ones = RowMatrix<double>::Constant(mesh.points.rows(), 1, 7.0);
    EXPECT_LT((interpolate_values(mesh, at_some(ones, 37)) - ones).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_NEAR(vertex_areas(mesh).sum() / internal::surface_area(mesh), 1, 1e-9);
  }
}

TEST(InterpolateValues, ColumnsMayHaveValuesAtDifferentVertices) {
  const TriangleMesh mesh = make_sphere(8);
  RowMatrix<double> values = at_some(mesh.points, 15);
  values(0, 1) = missing;
  values(15, 2) = missing;
  const RowMatrix<double> together = interpolate_values(mesh, values);
  for (Eigen::Index c = 0; c < 3; ++c) {
    const RowMatrix<double> alone = interpolate_values(mesh, RowMatrix<double>(values.col(c)));
    EXPECT_LT((together.col(c) - alone.col(0)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(InterpolateValues, IsNothingWithoutAnyValueInTheComponentOrBehindAMask) {
  const TriangleMesh two = side_by_side(make_sphere(4), make_plane(9, 9));
  RowMatrix<double> values = RowMatrix<double>::Constant(two.points.rows(), 1, missing);
  values(3, 0) = 1;
  values(30, 0) = 2;
  const RowMatrix<double> full = interpolate_values(two, values);
  const Index first = static_cast<Index>(make_sphere(4).points.rows());
  for (Index v = 0; v < two.points.rows(); ++v) EXPECT_EQ(std::isnan(full(v, 0)), v >= first) << v;

  const TriangleMesh plane = make_plane(21, 11);
  GeodesicOptions options;
  options.keep.assign(21 * 11, 1);
  RowMatrix<double> sides = RowMatrix<double>::Constant(21 * 11, 1, missing);
  for (Index v = 0; v < 21 * 11; ++v) {
    if (v % 21 == 10) options.keep[v] = 0;
    if (v % 21 == 0) sides(v, 0) = 1;
    if (v % 21 == 20) sides(v, 0) = 5;
  }
  const RowMatrix<double> halves = interpolate_values(plane, sides, options);
  for (Index v = 0; v < 21 * 11; ++v) {
    if (v % 21 == 10)
      EXPECT_TRUE(std::isnan(halves(v, 0)));
    else
      EXPECT_NEAR(halves(v, 0), v % 21 < 10 ? 1 : 5, 1e-6);
  }
}

TEST(InterpolateValues, RefusesValuesThatDoNotFit) {
  const TriangleMesh mesh = make_plane(4, 4);
  EXPECT_THROW(interpolate_values(mesh, RowMatrix<double>::Zero(15, 1)), InputError);
  EXPECT_THROW(interpolate_values(mesh, RowMatrix<double>::Zero(16, 0)), InputError);
  EXPECT_THROW(interpolate_values(mesh, RowMatrix<double>::Constant(16, 1, missing)), InputError);
  EXPECT_THROW(interpolate_values(mesh, RowMatrix<double>::Constant(16, 1, infinity)), InputError);
}

}  // namespace
}  // namespace geodome::testing
