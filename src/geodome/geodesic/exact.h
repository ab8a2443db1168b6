#pragma once
/// Exact geodesic distances on triangle meshes.

#include <memory>
#include <mutex>
#include <vector>

#include "geodome/geodesic/halfedge.h"
#include "geodome/geodesic/surface.h"
#include "geodome/geodesic/windows.h"

namespace geodome {

/// The lengths of the shortest paths over the triangles, to rounding (some 1e-12 relative), by window
/// propagation (see windows.h). Boundaries, saddles, several components, edges of more than two triangles,
/// meshes without orientation and zero-area triangles are all exact; paths go around boundaries.
///
/// Cost: per source 1 to 4 microseconds per vertex on real meshes of up to a million vertices (smooth dense
/// ones are the slowest); per thread some 250 bytes per vertex and 50 per window that waits.
class ExactSolver final : public SurfaceSolver {
 public:
  explicit ExactSolver(Surface surface);
  explicit ExactSolver(const TriangleMesh& mesh) : ExactSolver(prepare_surface(mesh)) {}

  /// Stops at the radius. Cost: in proportion to the ball.
  std::vector<Neighbour> within(Index source, double radius) const override;

 protected:
  void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const override;

 private:
  class Lease;

  HalfEdges edges_;
  std::vector<Index> first_input_;  ///< #S + 1
  std::vector<Index> inputs_;       ///< input vertices of each surface vertex, increasing
  mutable std::mutex mutex_;
  mutable std::vector<std::unique_ptr<WindowPropagation>> idle_;
};

}  // namespace geodome
