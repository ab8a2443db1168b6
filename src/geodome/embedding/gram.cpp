#include "geodome/embedding/gram.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {
FiniteParts finite_parts(const DistanceMatrix& matrix, const Execution& execution) {
  FiniteParts parts;
  parts.of_vertex = matrix.component_labels(execution);
  for (Index v = 0; v < matrix.size(); ++v) {
    const Index part = parts.of_vertex[v];
    if (part < 0) continue;
    if (static_cast<std::size_t>(part) >= parts.vertices.size())
      parts.vertices.resize(static_cast<std::size_t>(part) + 1);
    parts.vertices[part].push_back(v);
  }
  return parts;
}

void centre(Eigen::Ref<RowMatrix<double>> X) {
  if (X.rows() > 0) X.rowwise() -= X.colwise().mean().eval();
}

GramOperator::GramOperator(const DistanceMatrix& squared, const FiniteParts& parts, Index part,
                           const Execution& execution)
    : matrix_(squared), vertices_(parts.vertices[part]), execution_(execution) {
  const double largest =
      matrix_.block(std::span(vertices_).first(1), vertices_, execution_).cwiseAbs().maxCoeff();
  if (largest > 0 && (largest < 1e-30 || largest > 1e30))
    scale_ = std::ldexp(1.0, -2 * (std::ilogb(largest) / 2));
}

RowMatrix<double> GramOperator::squared_times(const RowMatrix<double>& X) const {
  const LandmarkMatrix* form = matrix_.landmark_matrix();
  if (form) return form->apply_within(vertices_, X, execution_);
  if (size() == matrix_.size()) return matrix_.apply(X, execution_);
  RowMatrix<double> result(X.rows(), X.cols());
  constexpr Index together = 64;
  for (Index begin = 0; begin < size(); begin += together) {
    const Index count = std::min(together, size() - begin);
    const auto some =
        std::span(vertices_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    result.middleRows(begin, count).noalias() = matrix_.block(some, vertices_, execution_) * X;
  }
  return result;
}

RowMatrix<double> GramOperator::apply(RowMatrix<double> X) const {
  centre(X);
  RowMatrix<double> result = squared_times(X) * (-scale_ / 2);
  centre(result);
  return result;
}

Eigen::MatrixXd GramOperator::dense(std::span<const Index> positions) const {
  std::vector<Index> chosen;
  for (const Index position : positions) chosen.push_back(vertices_[position]);
  RowMatrix<double> B = matrix_.block(chosen, chosen, execution_) * (-scale_ / 2);
  B = ((B + B.transpose()) / 2).eval();
  centre(B);
  B.transposeInPlace();
  centre(B);
  return B;
}

Eigen::MatrixXd GramOperator::dense() const {
  std::vector<Index> all(vertices_.size());
  std::iota(all.begin(), all.end(), 0);
  return dense(all);
}

}  // namespace geodome::internal
