#pragma once
/// A matrix of a shape that was computed in another unit (unit.h), read in the user's. Forms P W Pᵀ need
/// none: their W has a step of its own (in_unit below).

#include <memory>

#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome {

/// Every entry of `matrix` times `unit`, or its square for squared distances.
class ScaledMatrix final : public DistanceMatrix {
 public:
  /// Throws InputError unless `unit` is positive and finite.
  ScaledMatrix(std::shared_ptr<const DistanceMatrix> matrix, double unit);

  const std::shared_ptr<const DistanceMatrix>& matrix() const { return matrix_; }
  double unit() const { return unit_; }

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
  std::int64_t bytes() const override { return matrix_->bytes() + static_cast<std::int64_t>(sizeof unit_); }

 private:
  double factor() const { return kind() == DistanceKind::squared ? unit_ * unit_ : unit_; }

  std::shared_ptr<const DistanceMatrix> matrix_;
  double unit_;
};

/// The same form with steps and spacings times `unit`; it shares P and the numbers of W. Throws InputError
/// for a form that is neither compact nor dense.
std::shared_ptr<const LandmarkMatrix> in_unit(const LandmarkMatrix& form, double unit);

}  // namespace geodome
