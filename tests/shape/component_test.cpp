#include "geodome/shape/component.h"

#include <gtest/gtest.h>

#include "geodome/base/error.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/check.h"
#include "shape/small_shapes.h"

namespace geodome::internal {
namespace {

/// Both meshes in one, with a vertex of no face between them.
TriangleMesh side_by_side(const TriangleMesh& a, const TriangleMesh& b) {
  const auto shift = static_cast<Index>(a.points.rows() + 1);
  TriangleMesh both;
  both.points.resize(shift + b.points.rows(), 3);
  both.points << a.points, Eigen::RowVector3d(9, 9, 9), b.points;
  both.triangles.resize(a.triangles.rows() + b.triangles.rows(), 3);
  both.triangles << a.triangles, (b.triangles.array() + shift).matrix();
  return both;
}

TEST(LargestComponent, IsTheLargerMeshAsItWas) {
  const std::vector<TriangleMesh> sizes{make_box(1), make_torus(7, 5), make_sphere(3)};  // growing
  for (std::size_t small = 0; small < sizes.size(); ++small)
    for (std::size_t large = small + 1; large < sizes.size(); ++large)
      for (const auto& both :
           {side_by_side(sizes[small], sizes[large]), side_by_side(sizes[large], sizes[small])}) {
        const auto kept = std::get<TriangleMesh>(largest_component(both));
        EXPECT_EQ(kept.points, sizes[large].points);
        EXPECT_EQ(kept.triangles, sizes[large].triangles);
        const auto polygons = std::get<PolygonMesh>(largest_component(testing::as_polygons(both)));
        EXPECT_EQ(polygons.points, sizes[large].points);
        EXPECT_EQ(polygons.corners, testing::as_polygons(sizes[large]).corners);
        EXPECT_EQ(polygons.offsets, testing::as_polygons(sizes[large]).offsets);
      }
}

TEST(LargestComponent, IsTheFirstOfEquals) {
  TriangleMesh moved = make_box(2);
  moved.points.array() += 5;
  const auto kept = std::get<TriangleMesh>(largest_component(side_by_side(make_box(2), moved)));
  EXPECT_EQ(kept.points, make_box(2).points);
}

TEST(LargestComponent, IsOfMeshesThatHaveFaces) {
  EXPECT_THROW(largest_component(PointCloud{make_sphere(1).points, {}}), InputError);
  EXPECT_THROW(largest_component(TriangleMesh{make_sphere(1).points, Triangles(0, 3)}), InputError);
  TriangleMesh wrong = make_box(1);
  wrong.triangles(0, 1) = 1000;
  EXPECT_THROW(largest_component(wrong), InputError);
}

}  // namespace
}  // namespace geodome::internal
