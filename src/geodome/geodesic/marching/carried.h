#pragma once
/// Geodesic distances by fast marching that carries its virtual source along: the most accurate of the fast
/// solvers.

#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "geodome/geodesic/input_vertices.h"
#include "geodome/geodesic/marching/carried_stencil.h"
#include "geodome/geodesic/marching/fast_marching_kernel.h"
#include "geodome/geodesic/surface.h"
#include "geodome/geodesic/workspace_pool.h"

namespace geodome::internal {

/// Marches from one source at a time. A vertex remembers, besides its distance, where its shortest path comes
/// from: the direction at which it arrives, and the distance of the last vertex it bent at. So a source is
/// placed from one vertex, not guessed from the distances of two, and the error does not add up on the way.
///
/// One object serves one thread, for any number of sources one after the other.
class CarriedMarcher {
 public:
  /// Keeps a reference: the stencil must outlive this object.
  explicit CarriedMarcher(const CarriedStencil& stencil);

  /// Distances from the source up to `limit`; infinite beyond it.
  void run(Index source, float limit = std::numeric_limits<float>::infinity());

  float distance(Index v) const { return labels_[v].distance; }
  /// Distance of the vertex that the path to v last bends at, and the direction at v towards it.
  float bend(Index v) const { return labels_[v].bend; }
  float direction(Index v) const { return labels_[v].direction; }
  /// The vertices of finite distance, each once, in no useful order.
  std::span<const Index> reached() const { return reached_; }

 private:
  struct Label {
    float distance = std::numeric_limits<float>::infinity();
    float bend = 0;       ///< distance of the vertex the last straight piece of the path starts from
    float direction = 0;  ///< towards that vertex
  };
  struct Seen;

  float turn_at(Index v, float target, float sign) const;
  static Seen see(const Label& near, const Label& far, float turn, float reach, float far_reach, float cosine,
                  float sine);
  bool update(const CarriedChord& chord);
  void enqueue(Index v, float limit);

  const CarriedStencil& stencil_;
  std::vector<Label> labels_;
  std::vector<std::int64_t> queued_;  ///< the bucket a vertex waits in, or -1
  std::vector<Index> reached_;
  std::vector<std::vector<Index>> buckets_;  ///< a ring
  std::int64_t bucket_ = 0;
  std::size_t waiting_ = 0;
};

struct CarriedOptions {
  /// How many sources that are close together are marched at a time: 16, 32 or 64; 1 marches each on its own;
  /// 0 chooses by how close they are.
  int lanes = 0;
  /// For tests: all levels give the same distances.
  VectorLevel vectors = VectorLevel::best;
};

/// Mean error against exact distances: 0.02 to 0.1 % on scans, up to 0.4 % on coarse folded surfaces; single
/// values may be off by a few per cent, in both directions. The result depends a little (1e-4 to 1e-3) on the
/// order of the vertices, and not on threads. Of 64 sources and more, those that are close together are
/// measured at once (carried_batch.h); which ones depends on the set of sources.
/// Cost: per source 0.5 to 0.7 microseconds per vertex, in batches a fifth to a tenth of that; 1.2 kilobytes
/// per vertex once, 0.8 more for batches, and on each thread 20 bytes, in batches 12 per lane.
class CarriedMarching final : public SurfaceSolver {
 public:
  explicit CarriedMarching(Surface surface, const CarriedOptions& options = {});
  explicit CarriedMarching(const TriangleMesh& mesh, const CarriedOptions& options = {})
      : CarriedMarching(prepare_surface(mesh), options) {}
  ~CarriedMarching() override;

  /// Stops at the radius. Cost: in proportion to the ball.
  std::vector<Neighbour> within(Index source, double radius) const override;

 protected:
  std::vector<std::vector<Index>> blocks(std::span<const Index> sources) const override;
  void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const override;
  void solve_at(std::span<const Index> sources, std::span<const Index> targets,
                Eigen::Ref<RowMatrix<double>> out) const override;

 private:
  struct Batches;

  const Batches& batches() const;
  template <typename VertexAt>
  void solve_columns(std::span<const Index> sources, Index columns, const VertexAt& vertex_at,
                     Eigen::Ref<RowMatrix<double>> out) const;

  CarriedOptions options_;
  const MarchingKernel& kernel_;
  CarriedStencil stencil_;
  InputVertices inputs_;
  WorkspacePool<CarriedMarcher> pool_;
  mutable std::once_flag batches_made_;
  mutable std::unique_ptr<Batches> batches_;
};

}  // namespace geodome::internal
