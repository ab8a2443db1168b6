#pragma once
/// A matrix that was computed in another unit of length (unit.h), read in the user's. Matrices P W Pᵀ do not
/// need it: W has a step of its own (LandmarkMatrix::in_unit).

#include <memory>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// Every entry of `matrix` times `unit`, or its square for squared distances.
class ScaledMatrix final : public DistanceMatrix {
 public:
  /// Throws InputError unless `unit` is positive and finite.
  ScaledMatrix(std::shared_ptr<const DistanceMatrix> matrix, double unit);

  const std::shared_ptr<const DistanceMatrix>& matrix() const { return matrix_; }
  double unit() const override { return unit_; }

  Index size() const override { return matrix_->size(); }
  DistanceKind kind() const override { return matrix_->kind(); }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const override;
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  bool quadratic_product() const override { return matrix_->quadratic_product(); }
  std::vector<Index> component_labels(const Execution& execution = {}) const override {
    return matrix_->component_labels(execution);
  }
  MatrixFacts facts() const override { return matrix_->facts(); }
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override;
  std::shared_ptr<const DistanceMatrix> with_fast_products(std::int64_t memory_bound,
                                                           const Execution& execution = {}) const override;
  std::string_view codec() const override { return matrix_->codec(); }
  const DistanceMatrix& stored() const override { return *matrix_; }
  std::int64_t bytes() const override { return matrix_->bytes() + static_cast<std::int64_t>(sizeof unit_); }

 private:
  double factor() const { return kind() == DistanceKind::squared ? unit_ * unit_ : unit_; }

  std::shared_ptr<const DistanceMatrix> matrix_;
  double unit_;
};

}  // namespace geodome::internal
