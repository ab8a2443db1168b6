#include "geodome/shape/unit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/clean.h"

namespace geodome::internal {
namespace {

std::vector<Shape> every_kind(double scale) {
  TriangleMesh mesh = make_plane(5, 4);
  mesh.points *= scale;
  PolygonMesh quads = make_plane_quads(5, 4);
  quads.points *= scale;
  Graph graph = make_grid_graph(4, 3);
  for (Edge& edge : graph.edges) edge.length *= scale;
  return {mesh, quads, PointCloud{mesh.points, {}}, graph, Samples{mesh.points}};
}

TEST(Unit, IsOneForOrdinarySizesAndAPowerOfTwoBeyond) {
  for (const double scale : {1e-8, 1.0, 1e8})
    for (const Shape& shape : every_kind(scale)) EXPECT_EQ(unit_of(shape), 1);
  for (const double scale : {1e-100, 1e-12, 1e12, 1e100})
    for (const Shape& shape : every_kind(scale)) {
      const double unit = unit_of(shape), size = shape_size(shape);
      EXPECT_EQ(unit, std::ldexp(1.0, std::ilogb(unit)));
      EXPECT_GE(size / unit, 1);
      EXPECT_LT(size / unit, 2);
      EXPECT_EQ(shape_size(in_units(shape, unit)), size / unit);
    }
}

TEST(Unit, ShapesWithoutExtentKeepTheirs) {
  EXPECT_EQ(unit_of(TriangleMesh{Points::Zero(4, 3), Triangles::Zero(0, 3)}), 1);
  EXPECT_EQ(unit_of(Graph{3, {}, {}}), 1);
}

TEST(Unit, ScalingChangesNoDigit) {
  const TriangleMesh mesh = make_sphere(3);
  TriangleMesh tiny = mesh;
  tiny.points *= 0x1p-300;
  const auto back = std::get<TriangleMesh>(in_units(tiny, 0x1p-300));
  EXPECT_EQ(back.points, mesh.points);
}

TEST(Unit, SizesThatDoNotFitAreRefused) {
  for (const double scale : {1e-150, 1e150})
    for (const Shape& shape : every_kind(scale)) EXPECT_THROW(clean_shape(shape), InputError);
  for (const double scale : {1e-100, 1e100})
    for (const Shape& shape : every_kind(scale)) EXPECT_NO_THROW(clean_shape(shape));
}

}  // namespace
}  // namespace geodome::internal
