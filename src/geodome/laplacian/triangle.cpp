#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"

namespace geodome {
namespace {

void require_valid(const TriangleMesh& mesh) {
  require_finite(mesh.points);
  const Index count = static_cast<Index>(mesh.points.rows());
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles(f, k) < 0 || mesh.triangles(f, k) >= count)
        throw InputError(
            text("face ", f, " names vertex ", mesh.triangles(f, k), ", out of range [0, ", count, ")"));
}

}  // namespace

Laplacian triangle_laplacian(const TriangleMesh& mesh, const LaplacianOptions&) {
  require_valid(mesh);
  const Index count = static_cast<Index>(mesh.points.rows());
  std::vector<Weight> weights;
  weights.reserve(3 * static_cast<std::size_t>(mesh.triangles.rows()));
  Laplacian result;
  result.mass = Vector::Zero(count);
  for (Index f = 0; f < mesh.triangles.rows(); ++f) {
    const auto corner = mesh.triangles.row(f);
    const TriangleShape shape =
        triangle_shape(mesh.points.row(corner[0]), mesh.points.row(corner[1]), mesh.points.row(corner[2]));
    if (shape.area == 0) continue;
    for (int k = 0; k < 3; ++k) {
      result.mass[corner[k]] += shape.area / 3;
      weights.push_back({corner[(k + 1) % 3], corner[(k + 2) % 3], shape.half_cotangent[k]});
    }
  }
  result.stiffness = assemble_stiffness(count, weights);
  return result;
}

}  // namespace geodome
