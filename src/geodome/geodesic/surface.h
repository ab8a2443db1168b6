#pragma once
/// A triangle mesh made ready for geodesic solvers, and the base class that hides this from their users.

#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Whether two positions are the same, or so close that no number lies between them.
bool coincide(const Eigen::RowVector3d& a, const Eigen::RowVector3d& b);

/// The points divided by `scale`, a power of two, so that the diagonal of their bounding box is in [1, 2).
/// Neither moved nor rounded: differences of close points keep all their digits.
Points unit_points(const Points& points, double& scale);

/// The part of a mesh that distances live on: scaled by a power of two to a bounding box of diagonal 1 to 2,
/// faces with repeated corners and duplicate faces left out, vertices joined by a zero-length edge collapsed
/// into one, unreferenced vertices left out, and the rest renumbered along a space-filling curve so that
/// neighbours are close in memory. Zero-area faces with three distinct corners stay: they hold the surface
/// together. A face that a zero-length side makes an edge becomes such a face if no other one has that edge;
/// its third corner, in the middle of the edge, is a surface vertex that no input vertex belongs to. These
/// come last.
struct Surface {
  Points points;                 ///< #S by 3, in the renumbered order
  Triangles triangles;           ///< in the renumbered order
  std::vector<Index> of_input;   ///< input vertex -> surface vertex, or -1 where unreferenced
  double scale = 1;              ///< input length = scale * surface length
  std::vector<Index> component;  ///< of each surface vertex, 0, 1, …
  Index components = 0;
};

/// Cost: O(#V log #V) time. Throws InputError on indices out of range or non-finite coordinates.
Surface prepare_surface(const TriangleMesh& mesh);

/// A solver on a Surface: subclasses see renumbered vertices and unit size, callers the input's.
/// Vertices in another component than the source stay infinite, whatever the subclass writes there.
class SurfaceSolver : public GeodesicSolver {
 public:
  explicit SurfaceSolver(Surface surface);

  Index size() const override { return static_cast<Index>(surface_.of_input.size()); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;
  /// Memory beyond the result: one block of rows per thread, or less where the subclass needs less.
  RowMatrix<double> between(std::span<const Index> sources, std::span<const Index> targets,
                            const Execution& execution = {}) const override;
  /// By blocks, dealt out in turn.
  SomeRows some_between(std::span<const Index> sources, std::span<const Index> targets, const Share& share,
                        const Execution& execution = {}) const override;
  const Surface& surface() const { return surface_; }

 protected:
  /// How many sources one call of `solve` takes at most, unless `blocks` is overridden; they are neighbours
  /// on the surface if more than one.
  virtual Index block_size() const { return 1; }

  /// Divides distinct sources (surface numbering, increasing) into blocks, each for one call of `solve`. Must
  /// depend on nothing but them, so that results do not depend on threads. The default cuts them along the
  /// curve.
  virtual std::vector<std::vector<Index>> blocks(std::span<const Index> sources) const;

  /// Distances on the surface from each source (surface numbering) to every surface vertex:
  /// out is #sources by #S. Called from several threads at once.
  virtual void solve(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const = 0;

  /// The same to some vertices only: out is #sources by #targets. The default picks from whole rows.
  virtual void solve_at(std::span<const Index> sources, std::span<const Index> targets,
                        Eigen::Ref<RowMatrix<double>> out) const;

 private:
  struct Plan;
  Plan plan(std::span<const Index> sources) const;
  void require_in_range(std::span<const Index> vertices, const char* what) const;

  Surface surface_;
};

}  // namespace geodome::internal
