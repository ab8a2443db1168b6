#include "geodome/geodesic/marching/bias.h"

#include <gtest/gtest.h>

#include "geodesic/marching/marching_shapes.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodesic/marching/fast_marching.h"

namespace geodome::internal {
namespace {

float factor_of(const TriangleMesh& mesh, int ring, int rows) {
  const Surface surface = prepare_surface(mesh);
  return fit_bias(exact_rows(surface, rows), make_stencil(surface, ring), marching_kernel(VectorLevel::best))
      .factor;
}

TEST(Bias, IsNoneInThePlane) {
  EXPECT_NEAR(factor_of(make_plane(15, 15), 2, 2), 1, 1e-5);
  EXPECT_EQ(factor_of(TriangleMesh{}, 2, 3), 1);
}

TEST(Bias, IsSmallOnGoodMeshes) {
  for (const TriangleMesh& mesh : {make_sphere(10), make_torus(36, 20), make_box(8), make_cylinder(30, 20)})
    for (const int ring : {1, 2}) EXPECT_NEAR(factor_of(mesh, ring, 2), 1, ring == 1 ? 0.02 : 0.01);
}

TEST(Bias, FactorLowersTheSquaredErrorAgainstExact) {
  for (const TriangleMesh& mesh :
       {make_sphere(9), make_torus(36, 20), test::side_by_side(make_torus(24, 16), make_box(3))}) {
    const ExactSolver exact(mesh);
    const FastMarching raw(mesh, {.remove_bias = false}), fitted(mesh);
    const std::vector<Index> sources = {1, 77, 150, 300};
    RowMatrix<double> E(4, raw.size()), R(4, raw.size()), F(4, raw.size());
    exact.distances(sources, E);
    raw.distances(sources, R);
    fitted.distances(sources, F);
    const auto finite = E.array().isFinite();
    const double before = finite.select((R - E).array().square(), 0).sum();
    const double after = finite.select((F - E).array().square(), 0).sum();
    EXPECT_LT(after, before);
    EXPECT_TRUE((F.array().isFinite() == finite).all());
  }
}

TEST(Bias, RowsAreFewerOnLargeSurfaces) {
  EXPECT_EQ(rows_for_bias(0), 3);
  EXPECT_EQ(rows_for_bias(50000), 2);
  EXPECT_EQ(rows_for_bias(400000), 1);
}

}  // namespace
}  // namespace geodome::internal
