/// Shapes of many components, as CAD models have.

#include <gtest/gtest.h>

#include <vector>

#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// Part k is meshes[k mod #meshes], scaled by scales[k mod #scales].
TriangleMesh side_by_side(const std::vector<TriangleMesh>& meshes, std::size_t parts,
                          const std::vector<double>& scales = {1}) {
  TriangleMesh all;
  double place = 0;
  for (std::size_t k = 0; k < parts; ++k) {
    const TriangleMesh& mesh = meshes[k % meshes.size()];
    const double scale = scales[k % scales.size()];
    const Eigen::Index points = all.points.rows(), faces = all.triangles.rows();
    all.points.conservativeResize(points + mesh.points.rows(), 3);
    all.points.bottomRows(mesh.points.rows()) =
        (scale * mesh.points).rowwise() + Eigen::RowVector3d(place, 0, 0);
    all.triangles.conservativeResize(faces + mesh.triangles.rows(), 3);
    all.triangles.bottomRows(mesh.triangles.rows()) = mesh.triangles.array() + static_cast<Index>(points);
    place += 4 * scale;
  }
  return all;
}

std::vector<TriangleMesh> parts() {
  return {make_sphere(5),     make_torus(20, 12),    make_box(6),
          make_plane(15, 15), make_cylinder(20, 12), make_moebius(30, 8)};
}

double mean_error(const TriangleMesh& mesh, Method method) {
  BuildOptions options;
  options.method = method;
  options.certificate_rows = 60;
  return build_matrix(mesh, options).certificate->error.mean_relative_error;
}

class AssemblyBy : public ::testing::TestWithParam<Method> {};

TEST_P(AssemblyBy, OfManyPartsHasASmallErrorByDefault) {
  for (const std::size_t count : {20, 100})
    EXPECT_LE(mean_error(side_by_side(parts(), count), GetParam()), 0.01);
}

TEST_P(AssemblyBy, OfPartsOfAllSizesHasASmallErrorByDefault) {
  const TriangleMesh mixed = side_by_side(parts(), 30, {1, 0.1, 20, 0.01, 5});
  EXPECT_LE(mean_error(mixed, GetParam()), 0.01);
}

TEST_P(AssemblyBy, DoesNotSpendItsLandmarksOnSmallParts) {
  std::vector<TriangleMesh> meshes = {make_jittered_sphere(22)};
  for (int k = 0; k < 40; ++k) meshes.push_back(k % 2 == 0 ? make_box(2) : make_torus(8, 5));
  EXPECT_LE(mean_error(side_by_side(meshes, meshes.size()), GetParam()), 0.01);
}

INSTANTIATE_TEST_SUITE_P(Methods, AssemblyBy, ::testing::Values(Method::cell, Method::sbha),
                         [](const auto& param) { return std::string(name_of(methods(), param.param)); });

}  // namespace
}  // namespace geodome::internal
