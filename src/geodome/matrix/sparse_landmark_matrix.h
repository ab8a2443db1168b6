#pragma once
/// The compact matrix (sBHA): K ≈ P W Pᵀ with sparse P, 4 or 6 bytes per nonzero and 4 per pair of landmarks.
///
///   const OrderedLandmarks ordered = order_landmarks(adjacency, choose_landmarks(shape, options).vertices);
///   const Interpolation interpolation = interpolation_operator(operators, ordered.vertices, ordered.cell);
///   const LandmarkDistances distances = landmark_distances(*solver, ordered);
///   const SparseLandmarkMatrix matrix = make_sparse_landmark_matrix(ordered, interpolation.P, distances);
///   const double d = matrix.entries(std::array{7}, std::array{42})[0];

#include <memory>
#include <variant>

#include "geodome/interpolation/sparse_rows.h"
#include "geodome/landmark/landmark_distances.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// Everything the matrix is made of. The arrays may lie in memory or in a mapped file: `owner` keeps them
/// alive.
struct SparseLandmarkArrays {
  LandmarkArrays landmarks;
  /// P by rows: row v has the entries row_begin[v] .. row_begin[v + 1). #V + 1, four bytes where they do.
  std::variant<std::span<const std::uint32_t>, std::span<const std::uint64_t>> row_begin;
  /// Positions among all landmarks, increasing in a row; two bytes up to 65,536 landmarks.
  std::variant<std::span<const std::uint16_t>, std::span<const std::uint32_t>> column;
  std::variant<std::span<const float>, std::span<const std::int16_t>> weight;
  double weight_step = 1;  ///< of 16-bit weights
  std::shared_ptr<const void> owner;
};

class SparseLandmarkMatrix final : public LandmarkMatrix {
 public:
  /// Shares the arrays. Throws InputError when they do not fit each other. Cost: O(#landmarks), and
  /// O(#V) where there are several components: rows of P are checked when they are read, so that a large file
  /// opens at once.
  SparseLandmarkMatrix(SparseLandmarkArrays arrays, DistanceKind kind);

  /// The same arrays, read as distances or as squared distances.
  SparseLandmarkMatrix as(DistanceKind kind) const { return {arrays_, kind}; }

  const SparseLandmarkArrays& arrays() const { return arrays_; }
  std::int64_t nonzeros() const override;
  bool dense() const override { return false; }
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override {
    return std::make_shared<SparseLandmarkMatrix>(as(kind));
  }
  std::shared_ptr<const LandmarkMatrix> in_unit(double unit) const override;
  std::string_view codec() const override { return "compact"; }
  std::int64_t bytes() const override;
  using LandmarkMatrix::weights;
  void read_weights(Index vertex, Weights& row) const override;

 private:
  void prefetch_weights(Index vertex, bool near) const override;
  void spread(Index begin, Index end, const RowMatrix<double>& Z, double* out) const override;
  void collect(Index begin, Index end, const double* X, RowMatrix<double>& sums) const override;

  SparseLandmarkArrays arrays_;
};

/// How the weights of P are stored.
enum class WeightPrecision {
  float32,
  /// In steps of 2⁻¹⁴, or of 2⁻¹³ or 2⁻¹² where a weight of two or four and more requires it, and as float32
  /// where one of eight and more does. Each weight is off by less than a step, the sum of a row by half a
  /// step at most, and a sum of one stays one: distances change by about 10⁻⁴ of a landmark spacing.
  int16,
};

/// What goes with W: 16 bits unless W has 64, which requires all digits.
constexpr WeightPrecision weight_precision(Precision of_W) {
  return of_W == Precision::float64 ? WeightPrecision::float32 : WeightPrecision::int16;
}

/// Packs P, whose columns are the ordered landmarks, and takes over W. Throws InputError when P does not fit
/// the landmarks, has entries out of order, or joins a vertex to a landmark of another component.
SparseLandmarkMatrix make_sparse_landmark_matrix(OrderedLandmarks landmarks, const SparseRows& P,
                                                 LandmarkDistances W,
                                                 DistanceKind kind = DistanceKind::distance,
                                                 WeightPrecision precision = WeightPrecision::float32);

}  // namespace geodome::internal
