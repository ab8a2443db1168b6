#include "geodome/evaluation/bands.h"

#include <gtest/gtest.h>

#include "geodome/geodesic/factory.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

TEST(DistanceBands, HoldTheirLowerEdge) {
  const DistanceBands bands{"halves", 0.5, {0, 1, 4, infinity}};
  const std::vector<std::pair<double, std::size_t>> expected{{0, 0},   {0.4999, 0}, {0.5, 1},
                                                             {1.9, 1}, {2, 2},      {1e300, 2}};
  for (const auto& [distance, band] : expected) EXPECT_EQ(bands.find(distance), band) << distance;
  EXPECT_EQ(DistanceBands().find(17), 0u);
}

TEST(DistanceBands, OfALandmarkMatrixCountSpacings) {
  for (const MatrixCase& one : matrix_cases()) {
    const SparseLandmarkMatrix matrix = one.compact();
    const DistanceBands bands = spacing_bands(matrix);
    check_bands(bands);
    bool found = false;
    for (Index c = 0; c < matrix.components(); ++c) found |= bands.unit == matrix.spacing(c);
    EXPECT_TRUE(found) << one.name;
  }
}

TEST(DistanceBands, OfAnExtentSpanTheShape) {
  const TriangleMesh plane = make_plane(9, 5);
  const Eigen::RowVector3d size = plane.points.colwise().maxCoeff() - plane.points.colwise().minCoeff();
  for (const double scale : {1e-8, 1.0, 1e8}) {
    const auto solver = make_solver(TriangleMesh{plane.points * scale, plane.triangles});
    const DistanceBands bands = extent_bands(*solver);
    check_bands(bands);
    EXPECT_NEAR(bands.unit / scale, size.norm(), 1e-6);  // from corner to corner
  }
}

}  // namespace
}  // namespace geodome::internal
