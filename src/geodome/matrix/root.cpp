#include "geodome/matrix/root.h"

#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {

RootMatrix::RootMatrix(std::shared_ptr<const DistanceMatrix> squared) : squared_(std::move(squared)) {
  if (squared_->kind() != DistanceKind::squared)
    throw InputError("square roots require squared distances, and this matrix contains distances");
}

Vector RootMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                           const Execution& execution) const {
  return squared_->entries(I, J, execution).cwiseMax(0.0).cwiseSqrt();
}

RowMatrix<double> RootMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                    const Execution& execution) const {
  return squared_->block(I, J, execution).cwiseMax(0.0).cwiseSqrt();
}

RowMatrix<double> RootMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  return squared_->rows(I, execution).cwiseMax(0.0).cwiseSqrt();
}

}  // namespace geodome::internal
