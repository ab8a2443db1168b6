#pragma once
/// B of a form P W Pᵀ on the ranks of a team: each has some rows of every vector and of P, and reads some of
/// W.

#include "geodome/base/team.h"
#include "geodome/embedding/gram.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

/// Rows [begin(), end()) of B X, for vectors of which this rank has those rows. A product sums up two vectors
/// of the length of the landmarks over all ranks. The form and the vertices must outlive it.
class RankGram {
 public:
  /// `gram` must be of a form P (W∘W) Pᵀ.
  RankGram(const GramOperator& gram, const Team& team, const Execution& execution);

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }

  /// y = (B x) of the rows of this rank. Called by all ranks.
  void multiply(const double* x, double* y) const;

  /// Vectors of which every rank has some rows, whole: #vertices by #vectors.
  Eigen::MatrixXd gathered(const Eigen::MatrixXd& mine) const;

 private:
  const GramOperator& gram_;
  const LandmarkMatrix& form_;
  const PackedSymmetric& W_;
  const Team& team_;
  Execution execution_;
  std::size_t begin_, end_;
  std::vector<std::size_t> first_;  ///< of each own row of P
  std::vector<Index> column_;       ///< landmarks of the component
  std::vector<double> weight_;
  Vector column_sums_;  ///< Pᵀ 1, over all ranks
};

}  // namespace geodome::internal
