#pragma once
/// Geodesic distances by fast marching with a virtual source: fast, slightly too long (a fraction of a per
/// cent).
///
///   const FastMarching solver(mesh);
///   solver.distances(sources, rows);

#include <array>

#include "geodome/geodesic/input_vertices.h"
#include "geodome/geodesic/marching/batched_marching.h"
#include "geodome/geodesic/marching/bias.h"
#include "geodome/geodesic/marching/marcher.h"
#include "geodome/geodesic/marching/source_clusters.h"
#include "geodome/geodesic/marching/stencil.h"
#include "geodome/geodesic/surface.h"
#include "geodome/geodesic/workspace_pool.h"

namespace geodome::internal {

struct FastMarchingOptions {
  /// 2: the accurate stencil. 1: less time where vectors hold fewer than sixteen numbers, at 1.5 to 1.8 times
  /// the error.
  int ring = 2;
  /// How many sources that are close together are marched at a time: 16, 32 or 64; 1 marches each on its own;
  /// 0 chooses by how close they are. Distances of different choices differ by up to 1e-3 of the diameter,
  /// 1e-4 on average.
  int lanes = 0;
  /// Multiplies all distances by one factor, fitted on a few exact rows when the solver is made: less than
  /// half the mean squared error on most scans. Never shorter than the straight line. About doubles the time
  /// to make it on one thread.
  bool remove_bias = true;
  /// For tests: all levels give the same distances.
  VectorLevel vectors = VectorLevel::best;
};

/// Cost: O(#V) time per source (on one core of 2022: 0.06 to 0.08 µs per vertex), 0.7 kilobytes
/// per vertex, and 12 bytes more on each thread (batched_marching.h for many sources). Error: 0.1 to 0.7 % of
/// the distance on average with ring 2 (less where triangles are good and many), mostly to one side (bias.h),
/// never shorter than the straight line. Throws InputError on a mesh with indices out of range or non-finite
/// coordinates.
class FastMarching : public SurfaceSolver {
 public:
  explicit FastMarching(const TriangleMesh& mesh, const FastMarchingOptions& options = {},
                        const Execution& execution = {1, {}});
  explicit FastMarching(Surface surface, const FastMarchingOptions& options = {},
                        const Execution& execution = {1, {}});
  /// With rows at hand that the factor is fitted to.
  FastMarching(Surface surface, const ExactRows& exact, const FastMarchingOptions& options = {},
               const Execution& execution = {1, {}});
  ~FastMarching() override;

  /// Cost: proportional to the number of vertices found, apart from the first call on a thread.
  std::vector<Neighbour> within(Index source, double radius) const override;

  /// What every distance was multiplied with; 1 where the bias is left in.
  double factor() const { return factor_; }
  /// Of the rows that the factor was fitted on; 0 where the bias is left in.
  double mean_relative_error() const { return mean_relative_error_; }
  /// Windows per vertex of those rows.
  double exact_windows() const { return exact_windows_; }

 protected:
  std::vector<std::vector<Index>> blocks(std::span<const Index> sources) const override;
  void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const override;
  void solve_at(std::span<const Index> sources, std::span<const Index> targets,
                Eigen::Ref<RowMatrix<double>> out) const override;

 private:
  struct Unmade {};
  FastMarching(Surface surface, const FastMarchingOptions& options, Unmade);
  void make_stencils(const Execution& execution);
  void fit_factor(const ExactRows& exact);
  double corrected(Index source, Index vertex, float distance) const;
  template <typename VertexAt>
  void solve_columns(std::span<const Index> sources, Index columns, const VertexAt& vertex_at,
                     Eigen::Ref<RowMatrix<double>> out) const;

  FastMarchingOptions options_;
  const MarchingKernel* kernel_;
  Stencil stencil_;
  Stars stars_;
  float factor_ = 1;
  double mean_relative_error_ = 0;
  double exact_windows_ = 0;
  InputVertices inputs_;
  WorkspacePool<Marcher> marchers_;
  std::array<WorkspacePool<BatchedMarcher>, 3> batched_marchers_;  // of 16, 32 and 64 lanes
};

}  // namespace geodome::internal
