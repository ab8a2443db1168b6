#pragma once
/// Distances corrected where the linear form is weak: near the diagonal.
///
/// P W Pᵀ smooths the cone of a distance at zero, so neighbours come out too far apart. Squared distances
/// have no cone: up to about a landmark spacing sqrt(-½ δ W₂ δᵀ) is used instead, δ = p_i - p_j and W₂ = W∘W,
/// which is the distance in a flat space that has the landmarks' distances; between 0.7 and 1.3 spacings the
/// two are blended. Below 0.7 spacings it goes over into the chord, the nearer the more. Nothing is stored
/// for it.

#include <span>

#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/lower_bound.h"

namespace geodome::internal {

/// Always distances, whatever the kind of the matrix, which must outlive it. No linear form, except raw: a
/// product goes through all entries.
class NearField final : public DistanceMatrix {
 public:
  /// Throws InputError when `bound` is of another number of vertices.
  explicit NearField(const LandmarkMatrix& matrix, LowerBound bound = {},
                     QueryMode mode = QueryMode::near_field);

  const LandmarkMatrix& matrix() const { return matrix_; }
  QueryMode mode() const { return mode_; }
  Index size() const override { return matrix_.size(); }
  DistanceKind kind() const override { return DistanceKind::distance; }
  std::int64_t bytes() const override { return matrix_.bytes(); }
  std::vector<Index> component_labels(const Execution& execution = {}) const override {
    return matrix_.component_labels(execution);
  }

  double query(Index i, Index j) const;
  /// A chord is measured between the combinations of the corners' positions.
  double query(const SurfacePoint& a, const SurfacePoint& b) const;
  /// One distance for every k. Throws InputError when lengths differ or a vertex is out of range.
  Vector query(std::span<const Index> I, std::span<const Index> J, const Execution& execution = {}) const;
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override {
    return query(I, J, execution);
  }
  /// From one vertex to all. Cost: a raw row, and about three entries for every near vertex.
  Vector row(Index i, const Execution& execution = {}) const;
  /// #I by #V, one row for every vertex of I. Cost per row: the same, or less, as P is read once for 16 rows.
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;

  /// Cost: as `rows` where J has more than a fiftieth of the vertices, else as `entries`.
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const override;

  /// What no distance is below.
  double bound(Index i, Index j) const { return bound_(i, j); }
  /// What `query` gives for two different points where the linear form is already at hand; a and b are the
  /// points' weights.
  double correct(double raw, Index component, const Weights& a, const Weights& b, double bound) const;

 private:
  /// Mends `raw`, entries [first, last) of row i.
  void correct_row(Index i, Index first, Index last, double* raw) const;

  const LandmarkMatrix& matrix_;
  LowerBound bound_;
  QueryMode mode_;
};

}  // namespace geodome::internal
