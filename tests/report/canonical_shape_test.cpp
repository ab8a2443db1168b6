#include "geodome/report/canonical_shape.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

TEST(CanonicalColours, StretchEveryAxisOfEveryComponentOverTheSameRange) {
  RowMatrix<double> Z(6, 2);
  Z << 0, 5, 1, 7, 3, 6, -100, 5, 900, 5, 77, 77;
  const std::vector<Index> component = {0, 0, 0, 1, 1, -1};
  const Colours colours = canonical_colours(Z, component);
  EXPECT_EQ(colours(0, 0), colours(3, 0));
  EXPECT_EQ(colours(2, 0), colours(4, 0));
  EXPECT_EQ(colours(1, 1), colours(2, 0));
  EXPECT_LT(colours(0, 0), colours(1, 0));
  EXPECT_LT(colours(1, 0), colours(2, 0));
  EXPECT_EQ(colours(3, 1), 128);  // no extent along this axis
  for (Index v = 0; v < 6; ++v) EXPECT_EQ(colours(v, 2), 128);
  for (Index axis = 0; axis < 3; ++axis) EXPECT_EQ(colours(5, axis), 128);
  EXPECT_EQ(canonical_colours(Z * 1e-8, component), colours);
  EXPECT_THROW(canonical_colours(Z, std::vector<Index>(5, 0)), InputError);
}

TEST(CanonicalShape, KeepsTheFacesOfEveryKindOfShape) {
  const TriangleMesh mesh = make_plane(4, 3);
  RowMatrix<double> Z = RowMatrix<double>::Random(12, 2);
  const Shape canonical = canonical_shape(mesh, Z);
  EXPECT_EQ(std::get<TriangleMesh>(canonical).triangles, mesh.triangles);
  EXPECT_EQ(std::get<TriangleMesh>(canonical).points.leftCols(2), Z);
  EXPECT_EQ(std::get<TriangleMesh>(canonical).points.col(2).norm(), 0);
  const PolygonMesh quads = make_plane_quads(4, 3);
  EXPECT_EQ(std::get<PolygonMesh>(canonical_shape(quads, Z)).corners, quads.corners);
  Z = RowMatrix<double>::Random(12, 5);
  const Shape points = canonical_shape(make_path_graph(12), Z);
  EXPECT_EQ(std::get<PointCloud>(points).points, Z.leftCols(3));
  EXPECT_THROW(canonical_shape(make_plane(4, 4), Z), InputError);
}

}  // namespace
}  // namespace geodome::internal
