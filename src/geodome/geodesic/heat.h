#pragma once
/// Geodesic distances by the heat method: fast for many sources, good to a few per cent.

#include <array>
#include <optional>
#include <vector>

#include "geodome/base/sparse_cholesky.h"
#include "geodome/geodesic/surface.h"

namespace geodome::internal {

struct HeatOptions {
  /// Flow on the intrinsic Delaunay triangulation: no negative weights, so the far field keeps its digits.
  bool intrinsic_delaunay = true;
};

struct HeatReport {
  double mean_edge = 0;  ///< in the shape's own units
  double time = 0;       ///< of the flow, in mean edge lengths squared; 1 unless it had to be enlarged
  int enlargements = 0;  ///< how often it was, because heat vanished before it reached the far end
  double decay = 0;      ///< decimal digits by which heat decays between two far ends of the shape
};

/// Heat flows from the source for the time of one mean edge length squared; its gradient, made unit length,
/// is integrated by a Poisson equation [Crane, Weischedel, Wardetzky 2013]. Nearly degenerate faces are
/// mollified (see laplacian/intrinsic.h); any number of components.
///
/// The flow decays by a fixed factor per edge and underflows on large shapes. The constructor runs it between
/// two far ends of the largest component and enlarges the time until it arrives; `report` says whether. A row
/// in which it vanishes all the same is refused with NumericalError.
///
/// Cost: two factorisations, O(n log n) numbers each; per source two solves, in blocks of 32.
class HeatSolver : public SurfaceSolver {
 public:
  /// Throws InputError on indices out of range or non-finite coordinates, NumericalError if no time works.
  explicit HeatSolver(const TriangleMesh& mesh, const HeatOptions& options = {});
  explicit HeatSolver(Surface surface, const HeatOptions& options = {});

  const HeatReport& report() const { return report_; }

 protected:
  Index block_size() const override { return 32; }
  void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const override;

 private:
  /// A face and the gradients of its hat functions, in its own plane.
  struct Face {
    std::array<Index, 3> corner;
    Eigen::Matrix<double, 2, 3> gradient;
    double area;
  };

  void prepare(const HeatOptions& options);
  void choose_time(const SparseMatrix& stiffness, const Vector& mass);
  RowMatrix<double> flow(std::span<const Index> sources) const;
  RowMatrix<double> unit_divergence(const RowMatrix<double>& heat, std::span<const Index> sources) const;

  std::vector<Face> faces_;
  std::vector<std::int64_t> component_faces_;
  std::optional<SparseCholesky> heat_;     ///< of mass + time * stiffness
  std::optional<SparseCholesky> poisson_;  ///< of the stiffness with one vertex of each component pinned
  HeatReport report_;
};

}  // namespace geodome::internal
