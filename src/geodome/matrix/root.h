#pragma once
/// Distances as roots of interpolated squared distances.

#include <memory>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// √max(0, ·) of the entries of a matrix of kind squared. Squared distances are smooth where distances have a
/// cone, so that near pairs gain; but nothing is linear any more, and a product goes through all entries.
class RootMatrix final : public DistanceMatrix {
 public:
  /// Throws InputError when it is of kind distance.
  explicit RootMatrix(std::shared_ptr<const DistanceMatrix> squared);

  Index size() const override { return squared_->size(); }
  DistanceKind kind() const override { return DistanceKind::distance; }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  RowMatrix<double> block(std::span<const Index> I, std::span<const Index> J,
                          const Execution& execution = {}) const override;
  RowMatrix<double> rows(std::span<const Index> I, const Execution& execution = {}) const override;
  std::int64_t bytes() const override { return squared_->bytes(); }

 private:
  std::shared_ptr<const DistanceMatrix> squared_;
};

}  // namespace geodome::internal
