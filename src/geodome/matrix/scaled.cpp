#include "geodome/matrix/scaled.h"

#include <cmath>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {
ScaledMatrix::ScaledMatrix(std::shared_ptr<const DistanceMatrix> matrix, double unit)
    : matrix_(std::move(matrix)), unit_(unit) {
  if (!(unit > 0 && std::isfinite(unit)))
    throw InputError(text("the unit of a matrix must be positive, got ", unit));
}

Vector ScaledMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                             const Execution& execution) const {
  return matrix_->entries(I, J, execution) * factor();
}

RowMatrix<double> ScaledMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                      const Execution& execution) const {
  return matrix_->block(I, J, execution) * factor();
}

RowMatrix<double> ScaledMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  return matrix_->rows(I, execution) * factor();
}

RowMatrix<double> ScaledMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                      const Execution& execution) const {
  return matrix_->apply(X, execution) * factor();
}

std::shared_ptr<const DistanceMatrix> ScaledMatrix::converted(DistanceKind kind) const {
  auto inner = matrix_->converted(kind);
  return inner ? std::make_shared<ScaledMatrix>(std::move(inner), unit_) : nullptr;
}

std::shared_ptr<const DistanceMatrix> ScaledMatrix::with_fast_products(std::int64_t memory_bound,
                                                                       const Execution& execution) const {
  auto inner = matrix_->with_fast_products(memory_bound, execution);
  return inner ? std::make_shared<ScaledMatrix>(std::move(inner), unit_) : nullptr;
}

}  // namespace geodome::internal
