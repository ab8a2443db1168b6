#pragma once
/// The matrix that classical scaling takes apart: B = -½ J E J, E the squared distances and J the centring
/// matrix I - 11ᵀ/n.

#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// The sets of vertices that have finite distances among themselves.
struct FiniteParts {
  std::vector<Index> of_vertex;              ///< #V: a part, or -1 for a vertex that reaches no other
  std::vector<std::vector<Index>> vertices;  ///< of each part, increasing
};

/// The components the matrix knows of; where it does not say, one row per part finds them.
FiniteParts finite_parts(const DistanceMatrix& matrix, const Execution& execution = {});

/// Σ over all rows taken off, column by column: J X.
void centre(Eigen::Ref<RowMatrix<double>> X);

/// B of one part as an operator, times `scale()`. `squared` must be of kind squared; both must outlive it.
class GramOperator {
 public:
  GramOperator(const DistanceMatrix& squared, const FiniteParts& parts, Index part,
               const Execution& execution);

  Index size() const { return static_cast<Index>(vertices_.size()); }
  const std::vector<Index>& vertices() const { return vertices_; }
  const DistanceMatrix& matrix() const { return matrix_; }
  /// One, unless squared distances are below 1e-30 or above 1e30: then a power of four that makes them of the
  /// order of one, so that squares of them neither vanish nor overflow.
  double scale() const { return scale_; }

  /// B X, for X of size() by k. Cost: one product with the matrix, O(n k) besides.
  RowMatrix<double> apply(RowMatrix<double> X) const;

  /// B of the part's vertices at these positions alone, centred among themselves.
  Eigen::MatrixXd dense(std::span<const Index> positions) const;
  Eigen::MatrixXd dense() const;

 private:
  /// E X on the part alone.
  RowMatrix<double> squared_times(const RowMatrix<double>& X) const;

  const DistanceMatrix& matrix_;
  const std::vector<Index>& vertices_;
  const Execution& execution_;
  double scale_ = 1;
};

}  // namespace geodome::internal
