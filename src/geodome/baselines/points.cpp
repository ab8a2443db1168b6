#include "geodome/baselines/points.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/each_pair.h"

namespace geodome::internal {

PointMatrix::PointMatrix(RowMatrix<float> points, std::vector<Index> component, DistanceKind kind)
    : points_(std::make_shared<const RowMatrix<float>>(std::move(points))),
      component_(std::move(component)),
      kind_(kind) {
  if (!component_.empty() && static_cast<Eigen::Index>(component_.size()) != points_->rows())
    throw InputError(text(component_.size(), " component labels for ", points_->rows(), " points"));
  if (!points_->allFinite()) throw InputError("a point has a coordinate that is not finite");
}

Vector PointMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                            const Execution& execution) const {
  require_pairs(I, J);
  return each_pair(I, J, execution, [&](Index i, Index j) {
    if (component(i) < 0 || component(i) != component(j)) return i == j ? 0 : infinity;
    const double squared = (points_->row(i).cast<double>() - points_->row(j).cast<double>()).squaredNorm();
    return kind_ == DistanceKind::squared ? squared : std::sqrt(squared);
  });
}

RowMatrix<double> PointMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                     const Execution& execution) const {
  const bool whole = std::all_of(component_.begin(), component_.end(), [](Index c) { return c == 0; });
  if (kind_ == DistanceKind::distance || !whole) return DistanceMatrix::apply(X, execution);
  require_rows(X.rows());
  // |z_i - z_j|² = s_i + s_j - 2 z_i · z_j
  const RowMatrix<double> Z = points_->cast<double>();
  const Vector s = Z.rowwise().squaredNorm();
  RowMatrix<double> result = -2 * Z * (Z.transpose() * X);
  result.noalias() += s * X.colwise().sum();
  result.rowwise() += s.transpose() * X;
  return result;
}

std::vector<Index> PointMatrix::component_labels(const Execution& /*execution*/) const {
  return component_.empty() ? std::vector<Index>(static_cast<std::size_t>(size()), 0) : component_;
}

std::shared_ptr<const DistanceMatrix> PointMatrix::converted(DistanceKind kind) const {
  auto other = std::make_shared<PointMatrix>(*this);
  other->kind_ = kind;
  return other;
}

std::int64_t PointMatrix::bytes() const {
  return static_cast<std::int64_t>(static_cast<std::size_t>(points_->size()) * sizeof(float) +
                                   component_.size() * sizeof(Index));
}

}  // namespace geodome::internal
