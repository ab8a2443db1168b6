#pragma once
/// All distances of a shape one by one: exact, for small shapes, and the reference for every other form.

#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

class FullMatrix final : public DistanceMatrix {
 public:
  /// `values` is n by n. Throws InputError when it is not square, not symmetric (to the last bit), or holds a
  /// value that is negative or not a number.
  FullMatrix(RowMatrix<double> values, DistanceKind kind);

  const RowMatrix<double>& values() const { return values_; }

  Index size() const override { return static_cast<Index>(values_.rows()); }
  DistanceKind kind() const override { return kind_; }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  std::int64_t bytes() const override;
  /// Its entries are stored already.
  std::shared_ptr<const DistanceMatrix> with_fast_products(
      std::int64_t /*memory_bound*/, const Execution& /*execution*/ = {}) const override {
    return nullptr;
  }

 private:
  RowMatrix<double> values_;
  DistanceKind kind_;
  bool finite_;
};

/// Throws InputError naming the bytes that all distances between the vertices take, where they are more
/// than the bound.
void require_memory_for_all(Index vertices, double bytes, std::int64_t memory_bound);

/// Every distance of a solver, both directions averaged, squared after that where `kind` says so. Cost: one
/// row per vertex, 8 n² bytes. Throws InputError naming the bytes needed where they are more than
/// `memory_bound`, before anything is computed.
FullMatrix full_matrix(const GeodesicSolver& solver, DistanceKind kind, std::int64_t memory_bound,
                       const Execution& execution = {});

}  // namespace geodome::internal
