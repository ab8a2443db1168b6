#pragma once
/// Distances between close vertices, computed on the shape when they are asked for.

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "geodome/geodesic/adjacency.h"
#include "geodome/geodesic/options.h"
#include "geodome/geodesic/solver.h"
#include "geodome/matrix/lower_bound.h"
#include "geodome/shape/surface_point.h"

namespace geodome::internal {

/// Const and thread-safe. Every search reads only the part of the shape within its radius, and its memory is
/// in proportion to that part.
class NearShape {
 public:
  virtual ~NearShape() = default;

  /// All vertices at most `radius` away from the source, itself included, in no order.
  virtual std::vector<Neighbour> within(Index source, double radius) const = 0;

  /// out[k] = the distance of targets[k] if it is at most `radius`, else infinite. Cost: one search for all
  /// targets, or one for each where they are few.
  virtual void distances(Index source, std::span<const Index> targets, double radius,
                         std::span<double> out) const = 0;

  /// A radius around the source that contains `count` other vertices, or all of its component; infinite
  /// where that is more than `most`.
  virtual double radius_of(Index source, Index count, double most) const = 0;

  /// Between points that need not be vertices: infinite where it is more than `radius`, nothing where the
  /// shape has no face with these corners.
  virtual std::optional<double> distance(const SurfacePoint& a, const SurfacePoint& b,
                                         double radius) const = 0;
};

/// The faces of a triangle mesh in arrays that `owner` keeps alive.
struct MeshArrays {
  PositionArray points;              ///< three columns
  std::span<const Index> triangles;  ///< #F by 3, corners in range
  std::shared_ptr<const void> owner;
};

/// By exact windows. `keep`: nonzero for vertices that paths may pass; empty: all. Cost: two passes over the
/// faces; 4 bytes per vertex and 12 per face.
std::unique_ptr<const NearShape> near_mesh(MeshArrays mesh, const std::vector<char>& keep);

/// By Dijkstra's algorithm.
std::unique_ptr<const NearShape> near_edges(Adjacency adjacency);

/// Of any shape, along what its exact solver measures on: triangles, those of polygons and of clouds after
/// triangulation; edges of graphs, of samples, and with GeodesicMethod::graph. `shape` is shared.
std::unique_ptr<const NearShape> near_shape(const std::shared_ptr<const Shape>& shape,
                                            const GeodesicOptions& options);

/// Of triangles that were made of a shape before.
std::unique_ptr<const NearShape> near_triangles(const std::shared_ptr<const TriangleMesh>& mesh);

/// A NearShape that is made when first used, by one of the threads that need it. Where that fails every use
/// throws what it threw.
class LazyNearShape {
 public:
  explicit LazyNearShape(std::function<std::unique_ptr<const NearShape>()> make) : make_(std::move(make)) {}

  const NearShape& get() const {
    std::call_once(made_, [this] { shape_ = make_(); });
    return *shape_;
  }

 private:
  std::function<std::unique_ptr<const NearShape>()> make_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const NearShape> shape_;
};

}  // namespace geodome::internal
