#include "geodome/matrix/near_shape.h"

#include "geodome/geodesic/factory.h"

namespace geodome::internal {
namespace {

MeshArrays arrays_of(const TriangleMesh& mesh, const std::shared_ptr<const void>& owner) {
  return {shared_positions(mesh.points, owner),
          {mesh.triangles.data(), static_cast<std::size_t>(mesh.triangles.size())},
          owner};
}

}  // namespace

std::unique_ptr<const NearShape> near_shape(const std::shared_ptr<const Shape>& shape,
                                            const GeodesicOptions& options) {
  const auto* own = std::get_if<TriangleMesh>(shape.get());
  if (own != nullptr && options.method != GeodesicMethod::graph)
    return near_mesh(arrays_of(*own, shape), options.keep);
  Paths paths = make_paths(*shape, options);
  if (auto* adjacency = std::get_if<Adjacency>(&paths)) return near_edges(std::move(*adjacency));
  return near_triangles(std::make_shared<const TriangleMesh>(std::move(std::get<TriangleMesh>(paths))));
}

std::unique_ptr<const NearShape> near_triangles(const std::shared_ptr<const TriangleMesh>& mesh) {
  return near_mesh(arrays_of(*mesh, mesh), {});
}

}  // namespace geodome::internal
