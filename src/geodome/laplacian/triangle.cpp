#include <array>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

void require_valid(const TriangleMesh& mesh) {
  require_finite(mesh.points);
  const Index count = static_cast<Index>(mesh.points.rows());
  for (Index f = 0; f < mesh.triangles.rows(); ++f)
    for (int k = 0; k < 3; ++k)
      if (mesh.triangles(f, k) < 0 || mesh.triangles(f, k) >= count)
        throw InputError(
            text("face ", f, " refers to vertex ", mesh.triangles(f, k), ", out of range [0, ", count, ")"));
}

/// Sums the faces, whose angles and areas `shape_of(face)` tells.
template <typename ShapeOf>
Laplacian cotangent_laplacian(const Triangles& triangles, Index count, const ShapeOf& shape_of) {
  std::vector<Weight> weights;
  weights.reserve(3 * static_cast<std::size_t>(triangles.rows()));
  Laplacian result;
  result.mass = Vector::Zero(count);
  for (Index f = 0; f < triangles.rows(); ++f) {
    const TriangleShape shape = shape_of(f);
    if (shape.area == 0) continue;
    for (int k = 0; k < 3; ++k) {
      result.mass[triangles(f, k)] += shape.area / 3;
      weights.push_back({triangles(f, (k + 1) % 3), triangles(f, (k + 2) % 3),
                         shape.half_cotangent[static_cast<std::size_t>(k)]});
    }
  }
  result.stiffness = assemble_stiffness(count, weights);
  return result;
}

}  // namespace

Laplacian triangle_laplacian(const TriangleMesh& mesh, const LaplacianOptions& options) {
  require_valid(mesh);
  if (options.intrinsic_delaunay) {
    IntrinsicMesh intrinsic = intrinsic_mesh(mesh.points, mesh.triangles);
    flip_to_delaunay(intrinsic);
    return intrinsic_laplacian(intrinsic, static_cast<Index>(mesh.points.rows()));
  }
  return cotangent_laplacian(mesh.triangles, static_cast<Index>(mesh.points.rows()), [&](Index f) {
    const auto corner = mesh.triangles.row(f);
    return triangle_shape(mesh.points.row(corner[0]), mesh.points.row(corner[1]), mesh.points.row(corner[2]));
  });
}

Laplacian intrinsic_laplacian(const IntrinsicMesh& mesh, Index count) {
  return cotangent_laplacian(mesh.triangles, count, [&](Index f) {
    return triangle_shape(std::array{mesh.lengths(f, 0), mesh.lengths(f, 1), mesh.lengths(f, 2)});
  });
}

}  // namespace geodome::internal
