#include "geodome/laplacian/laplacian.h"

#include <cmath>

#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

struct Chooser {
  const LaplacianOptions& options;
  const Execution& execution;

  Laplacian operator()(const TriangleMesh& mesh) const { return triangle_laplacian(mesh, options); }
  Laplacian operator()(const PolygonMesh& mesh) const { return polygon_laplacian(mesh); }
  Laplacian operator()(const PointCloud& cloud) const { return cloud_laplacian(cloud, options, execution); }
  Laplacian operator()(const Graph& graph) const { return graph_laplacian(graph, options); }
  Laplacian operator()(const Samples& samples) const {
    return samples_laplacian(samples, options, execution);
  }
};

}  // namespace

Laplacian laplacian(const Shape& shape, const LaplacianOptions& options, const Execution& execution) {
  return std::visit(Chooser{options, execution}, shape);
}

SparseMatrix biharmonic(const Laplacian& laplacian) {
  // As a product with its own transpose the result is symmetric to the last bit.
  const Vector root =
      laplacian.mass.unaryExpr([](double mass) { return mass > 0 ? 1 / std::sqrt(mass) : 0.0; });
  const SparseMatrix scaled = root.asDiagonal() * laplacian.stiffness;
  const SparseMatrix transposed = scaled.transpose();
  return transposed * scaled;
}

}  // namespace geodome::internal
