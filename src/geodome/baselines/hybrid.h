#pragma once
/// Between sBHA and FMDS: a compact matrix, and some columns of what it misses.

#include <cstdint>
#include <vector>

#include "geodome/baselines/landmark_columns.h"
#include "geodome/matrix/sparse_landmark_matrix.h"

namespace geodome::internal {

/// K ≈ P W Pᵀ + P_Q D_Qᵀ + D_Q P_Qᵀ, where D = C - P W is how far the compact matrix is from the measured
/// distances of the landmarks (zero at landmarks), and Q the landmarks whose column of D is kept. A column
/// takes one byte per vertex: its entries are small, so that steps of a 127th of the largest lose little.
struct HybridColumns {
  std::vector<Index> landmark;     ///< #kept: positions among the landmarks, increasing
  std::vector<float> step;         ///< #kept
  RowMatrix<std::int8_t> residue;  ///< #V by #kept, in steps
};

class HybridMatrix final : public DistanceMatrix {
 public:
  /// Throws InputError when the columns do not fit the matrix. `columns` are of the kind of `base`.
  HybridMatrix(SparseLandmarkMatrix base, HybridColumns columns);

  const SparseLandmarkMatrix& base() const { return base_; }
  const HybridColumns& columns() const { return columns_; }

  Index size() const override { return base_.size(); }
  DistanceKind kind() const override { return base_.kind(); }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  bool quadratic_product() const override { return false; }
  std::int64_t bytes() const override;

 private:
  /// The weights of a vertex in P_Q: columns of the residue, and their values times the step.
  void kept_weights(Index vertex, Weights& row) const;
  double residue(Index vertex, const Weights& kept) const;

  SparseLandmarkMatrix base_;
  HybridColumns columns_;
  std::vector<Index> kept_at_;  ///< #landmarks: the kept column, or -1
};

/// Keeps those `count` columns (all, if there are fewer) that change the matrix most: of largest ‖D_k‖ ‖P_k‖.
/// Cost: O(#V l p_row) time, #V · count bytes. Throws InputError when `count` is negative.
HybridMatrix make_hybrid_matrix(SparseLandmarkMatrix base, const LandmarkColumns& measured, Index count,
                                const Execution& execution = {});

}  // namespace geodome::internal
