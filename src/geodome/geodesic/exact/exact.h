#pragma once
/// Exact geodesic distances on triangle meshes.

#include <atomic>
#include <cstdint>
#include <vector>

#include "geodome/geodesic/exact/halfedge.h"
#include "geodome/geodesic/exact/windows.h"
#include "geodome/geodesic/input_vertices.h"
#include "geodome/geodesic/surface.h"
#include "geodome/geodesic/workspace_pool.h"

namespace geodome::internal {

/// The lengths of the shortest paths over the triangles, to rounding (1e-13 relative or so), by window
/// propagation (see windows.h). Boundaries, which paths go around, saddles, several components, edges of more
/// than two triangles, meshes without orientation and zero-area triangles are all exact; around slivers the
/// error is up to 1e-6 of the distance or 1e-12 of the size of the shape. Among triangles lower than 1e-6 of
/// their longest side rounding may lose the shortest path: the result is then between the straight line and
/// the path along edges.
///
/// Cost: per source 1 to 4 microseconds per vertex on real meshes of up to a million vertices (smooth dense
/// ones are the slowest); per thread some 250 bytes per vertex and 50 per window that waits.
class ExactSolver final : public SurfaceSolver {
 public:
  explicit ExactSolver(Surface surface);
  explicit ExactSolver(const TriangleMesh& mesh) : ExactSolver(prepare_surface(mesh)) {}

  /// Stops at the radius. Cost: in proportion to the ball.
  std::vector<Neighbour> within(Index source, double radius) const override;

  /// How many rows and balls so far hold upper bounds, because the bound on windows ended their run.
  std::int64_t incomplete_runs() const { return incomplete_runs_; }

 protected:
  void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const override;

 private:
  /// A path is never shorter than the straight line; around needles rounding may make it so.
  double at_least_straight(Index source, Index vertex, double distance) const;
  void run(WindowPropagation& windows, Index source, double limit = infinity) const;

  HalfEdges edges_;
  InputVertices inputs_;
  WorkspacePool<WindowPropagation> pool_;
  mutable std::atomic<std::int64_t> incomplete_runs_ = 0;
};

}  // namespace geodome::internal
