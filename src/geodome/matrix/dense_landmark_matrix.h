#pragma once
/// The dense matrix (BHA): K ≈ P W Pᵀ with all of P. For small shapes, and as a reference for the sparse one.

#include <memory>

#include "geodome/landmark/landmark_distances.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

struct DenseLandmarkArrays {
  LandmarkArrays landmarks;
  std::span<const float> P;  ///< #V by #landmarks, row by row
  std::shared_ptr<const void> owner;
};

/// Entries cost #landmarks² each: ask for rows or blocks where there are many.
class DenseLandmarkMatrix final : public LandmarkMatrix {
 public:
  /// Shares the arrays. Throws InputError when they do not fit each other.
  DenseLandmarkMatrix(Index size, DenseLandmarkArrays arrays, DistanceKind kind);

  DenseLandmarkMatrix as(DistanceKind kind) const { return {size(), arrays_, kind}; }

  const DenseLandmarkArrays& arrays() const { return arrays_; }
  std::int64_t bytes() const override;
  std::int64_t nonzeros() const override { return static_cast<std::int64_t>(arrays_.P.size()); }
  bool dense() const override { return true; }
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override {
    return std::make_shared<DenseLandmarkMatrix>(as(kind));
  }
  std::shared_ptr<const LandmarkMatrix> in_unit(double unit) const override;
  std::string_view codec() const override { return "dense"; }
  using LandmarkMatrix::weights;
  void read_weights(Index vertex, Weights& row) const override;

 private:
  void spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const override;
  void collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const override;
  /// Rows [begin, end) of P in double precision.
  RowMatrix<double> rows_of_P(Index begin, Index end) const;

  DenseLandmarkArrays arrays_;
};

/// Takes over P, whose columns are the ordered landmarks, and W.
DenseLandmarkMatrix make_dense_landmark_matrix(OrderedLandmarks landmarks, RowMatrix<float> P,
                                               LandmarkDistances W,
                                               DistanceKind kind = DistanceKind::distance);

}  // namespace geodome::internal
