#pragma once
/// Distances as a symmetric form K ≈ P W Pᵀ [Turek and Huth 2018]: W holds the distances between landmarks,
/// P carries them to every vertex. What compact (sBHA) and dense (BHA) matrices have in common; they differ
/// in how P is kept.

#include <span>
#include <vector>

#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/packed_symmetric.h"
#include "geodome/matrix/weights.h"
#include "geodome/shape/surface_point.h"

namespace geodome::internal {

/// The landmarks and W, in arrays that something else owns.
struct LandmarkArrays {
  std::span<const Index> landmark;         ///< #landmarks: vertices, those of a component side by side
  std::span<const Index> component_first;  ///< #components + 1: positions in `landmark`
  std::span<const Index> component;     ///< #V, -1 where unreferenced; empty: all vertices in one component
  PackedValues W;                       ///< distances, one packed triangle per component, one after the other
  std::span<const double> step;         ///< #components: what W is in multiples of; empty: one
  std::span<const double> spacing;      ///< #components: the typical distance between neighbouring landmarks
  const StorageCheck* check = nullptr;  ///< called before W and P are read; the others are sound
};

/// W always holds distances. For DistanceKind::squared its entries are squared while they are read: that
/// costs less than reading a second matrix, and both kinds can share one set of arrays.
///
/// `entries`, `rows`, `block` and `apply` are the linear form as it is: smooth and positive at the diagonal,
/// where a distance has a cone. near_field.h corrects that.
class LandmarkMatrix : public DistanceMatrix {
 public:
  Index size() const final { return size_; }
  DistanceKind kind() const final { return kind_; }
  Index components() const { return static_cast<Index>(W_.size()); }
  /// -1 for an unreferenced vertex.
  Index component(Index vertex) const { return arrays_.component.empty() ? 0 : arrays_.component[vertex]; }
  std::span<const Index> landmarks() const { return arrays_.landmark; }
  /// The position of a component's first landmark among all.
  Index first_landmark(Index component) const { return arrays_.component_first[component]; }
  const PackedSymmetric& W(Index component) const { return W_[component]; }
  double spacing(Index component) const { return arrays_.spacing[component]; }
  const LandmarkArrays& landmark_arrays() const { return arrays_; }

  /// Cost: p_row² per entry.
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  /// Cost: per row one product with W and p_row per column, or p_row² per entry where that is less.
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const final;
  /// Cost: per row one product with W; one pass over P for every 16 rows.
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const final;
  /// Distances, whatever the kind.
  RowMatrix<double> distance_rows(std::span<const Index> I, const Execution& execution = {}) const;

  /// Between points off the vertices. Throws InputError when weights are not finite, do not sum to one or
  /// are negative, or when the corners belong to different components.
  Vector entries(std::span<const SurfacePoint> I, std::span<const SurfacePoint> J,
                 const Execution& execution = {}) const;

  /// Two passes over P and one over W for every 16 columns. Throws InputError on a shape of several
  /// components or with unreferenced vertices: the entries between them are infinite.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const final;
  bool quadratic_product() const final { return false; }
  std::vector<Index> component_labels(const Execution& execution = {}) const final;
  const LandmarkMatrix* landmark_matrix() const final { return this; }
  MatrixFacts facts() const override;
  /// Stored entries of P; all of them where P is dense.
  virtual std::int64_t nonzeros() const = 0;
  /// Whether all entries of P are stored.
  virtual bool dense() const = 0;
  /// The same matrix with steps and spacings multiplied by `unit`; it shares P and the values of W.
  virtual std::shared_ptr<const LandmarkMatrix> in_unit(double unit) const = 0;
  /// The same within one component: other rows of X are ignored, other rows of the result are zero.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X, Index component,
                          const Execution& execution = {}) const;
  /// The same for a component's vertices alone, given in increasing order: X and the result have one row for
  /// each. Cost: as the component is large, whatever the size of the shape.
  RowMatrix<double> apply_within(std::span<const Index> vertices,
                                 const Eigen::Ref<const RowMatrix<double>>& X,
                                 const Execution& execution = {}) const;

  /// Row `vertex` of P, in place of what `row` held. Throws InputError when what is stored makes no sense.
  virtual void read_weights(Index vertex, Weights& row) const = 0;
  Weights weights(Index vertex) const;
  /// The combination of its corners' rows, and the component they lie in (-1: an unreferenced vertex).
  struct WeightedPoint {
    Index component = -1;
    Weights weights;
  };
  WeightedPoint weights(const SurfacePoint& point) const;

 protected:
  /// Throws InputError when the arrays do not fit each other.
  LandmarkMatrix(Index size, DistanceKind kind, const LandmarkArrays& arrays);

  std::int64_t landmark_bytes() const;

  using Power = PackedSymmetric::Power;
  Power power() const;

  /// Brings a row of P closer: first where it is, then, when that has arrived (`near`), itself.
  virtual void prefetch_weights(Index /*vertex*/, bool /*near*/) const {}

  /// out (#rows by lanes) = rows [begin, end) of P times Z (#landmarks by lanes); 1, 4, 8 or 16 lanes.
  virtual void spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const = 0;
  /// sums (#landmarks by lanes) += the transpose of these rows of P times X (#rows by lanes).
  virtual void collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const = 0;

 private:
  double entry_without_form(Index i, Index j) const;
  Index common_component(std::span<const Index> vertices) const;
  RowMatrix<double> rows(std::span<const Index> I, Power power, const Execution& execution) const;
  RowMatrix<double> collect_from(std::span<const Index> vertices, const RowMatrix<double>& X,
                                 const Execution& execution) const;

  Index size_;
  DistanceKind kind_;
  LandmarkArrays arrays_;
  std::vector<PackedSymmetric> W_;
};

}  // namespace geodome::internal
