#pragma once
/// Distances corrected where the linear form is weak: near the diagonal.
///
/// P W Pᵀ smooths the cone of a distance at zero, so neighbours come out too far apart. Where the shape is at
/// hand, distances up to 1.3 landmark spacings are computed on it (near_shape.h), and blended with P W Pᵀ up
/// to 1.5 spacings; up to r and r + 0.2 spacings, r² = 60 landmarks / vertices, where that is more.
///
/// Without the shape, or with QueryMode::blend: squared distances have no cone, so up to about a landmark
/// spacing sqrt(-½ δ W₂ δᵀ) is used instead, δ = p_i - p_j and W₂ = W∘W, which is the distance in a flat
/// space that has the landmarks' distances; between 0.7 and 1.3 spacings the two are blended. Below 0.7
/// spacings it goes over into the chord, the nearer the more. Nothing is stored for it.

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geodome/matrix/landmark_matrix.h"
#include "geodome/matrix/lower_bound.h"
#include "geodome/matrix/near_shape.h"

namespace geodome::internal {

/// The order of neighbours: by distance, then by vertex.
bool nearer(const Neighbour& a, const Neighbour& b);

/// Always distances, whatever the kind of the matrix, which must outlive it. No linear form, except raw: a
/// product goes through all entries.
class NearField final : public DistanceMatrix {
 public:
  /// `shape`: what near distances are computed on; nullptr: they are estimated. Throws InputError when
  /// `bound` is of another number of vertices.
  explicit NearField(const LandmarkMatrix& matrix, LowerBound bound = {},
                     QueryMode mode = QueryMode::near_field,
                     std::shared_ptr<const LazyNearShape> shape = nullptr);

  const LandmarkMatrix& matrix() const { return matrix_; }
  QueryMode mode() const { return mode_; }
  /// Whether near distances are computed on the shape.
  bool exact() const { return shape_ != nullptr; }
  Index size() const override { return matrix_.size(); }
  DistanceKind kind() const override { return DistanceKind::distance; }
  std::int64_t bytes() const override { return matrix_.bytes(); }
  std::vector<Index> component_labels(const Execution& execution = {}) const override {
    return matrix_.component_labels(execution);
  }

  double query(Index i, Index j) const;
  /// A chord is measured between the combinations of the corners' positions.
  double query(const SurfacePoint& a, const SurfacePoint& b) const;
  /// One distance for every k. Near pairs that have a vertex in common share one search. Throws InputError
  /// when lengths differ or a vertex is out of range.
  Vector query(std::span<const Index> I, std::span<const Index> J, const Execution& execution = {}) const;
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override {
    return query(I, J, execution);
  }
  /// From one vertex to all. Cost: a raw row, and a search on the shape or about three entries for every near
  /// vertex.
  Vector row(Index i, const Execution& execution = {}) const;
  /// #I by #V, one row for every vertex of I. Cost per row: the same, or less, as P is read once for 16 rows.
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;

  /// Cost: as `rows` where J has more than a fiftieth of the vertices, else as `entries`.
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const override;

  /// What no distance is below.
  double bound(Index i, Index j) const { return bound_(i, j); }
  /// What `query` gives for two different points where the linear form is already at hand, if near distances
  /// are estimated; a and b are the points' weights.
  double correct(double raw, Index component, const Weights& a, const Weights& b, double bound) const;

  /// The following are for near distances computed on the shape.
  ///
  /// What `query` gives where the shape's distance is beyond `radius(component)`.
  double beyond(double raw, Index component, double bound) const;
  double radius(Index component) const;
  /// The vertices whose distance on the shape is smaller than `radius(component)`, with what `query` gives
  /// for them, in the order of vertices.
  std::vector<Neighbour> near_vertices(Index vertex) const;
  /// The `count` nearest other vertices, or all within `radius`, nearest first, where near vertices suffice;
  /// else nothing.
  std::optional<std::vector<Neighbour>> nearest(Index vertex, Index count) const;
  std::optional<std::vector<Neighbour>> within(Index vertex, double radius) const;

 private:
  /// One entry of the result that needs a search.
  struct NearPair {
    Index source = 0, target = 0;
    std::size_t place = 0;
    double bound = 0;
  };

  bool may_be_near(double raw, Index component, double bound) const;
  double join(double raw, Index component, double bound, double exact) const;
  /// Replaces the linear form of each pair in `result` by what `query` gives.
  void search_pairs(std::vector<NearPair> pairs, Vector& result, const Execution& execution) const;
  std::vector<Neighbour> joined(Index vertex, std::vector<Neighbour> found) const;

  /// Mends `raw`, entries [first, last) of row i.
  void correct_row(Index i, Index first, Index last, double* raw) const;
  void correct_rows_exactly(std::span<const Index> I, RowMatrix<double>& rows,
                            const Execution& execution) const;

  const LandmarkMatrix& matrix_;
  LowerBound bound_;
  QueryMode mode_;
  double exact_up_to_;  ///< in spacings: near distances up to here are those of the shape
  std::shared_ptr<const LazyNearShape> shape_;  ///< nullptr unless near distances are computed on it
};

}  // namespace geodome::internal
