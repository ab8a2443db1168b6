#pragma once
/// All distances of a shape, one triangle in single precision: exact, the reference for every approximation,
/// for as long as it fits into memory.

#include <memory>
#include <vector>

#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"
#include "geodome/matrix/packed_symmetric.h"

namespace geodome::internal {

/// Holds distances; squares are taken while reading, so both kinds can share one set of numbers.
class PackedFullMatrix final : public DistanceMatrix {
 public:
  /// `values` is a packed lower triangle (symmetric.h) of `size` rows. Throws InputError when it is not.
  PackedFullMatrix(Index size, std::vector<float> values, DistanceKind kind);
  /// The same numbers, not a copy of them, as `kind`.
  PackedFullMatrix(const PackedFullMatrix& other, DistanceKind kind);
  PackedFullMatrix(const PackedFullMatrix&) = delete;
  PackedFullMatrix& operator=(const PackedFullMatrix&) = delete;

  Index size() const override { return size_; }
  DistanceKind kind() const override { return kind_; }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  /// Cost: one pass over the triangle for every 16 columns.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  std::int64_t bytes() const override;
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override {
    return std::make_shared<PackedFullMatrix>(*this, kind);
  }
  /// Its entries are stored already.
  std::shared_ptr<const DistanceMatrix> with_fast_products(
      std::int64_t /*memory_bound*/, const Execution& /*execution*/ = {}) const override {
    return nullptr;
  }

 private:
  double entry(Index i, Index j) const;

  Index size_;
  std::shared_ptr<const std::vector<float>> values_;
  PackedSymmetric view_;
  DistanceKind kind_;
  bool finite_;
};

/// The bytes of all distances between this many vertices.
std::int64_t packed_full_bytes(Index vertices);

/// Every distance of a solver, both directions averaged. Cost: one row per vertex. Throws InputError naming
/// the bytes needed where they are more than `memory_bound`, before anything is computed.
std::vector<float> packed_distances(const GeodesicSolver& solver, std::int64_t memory_bound,
                                    const Execution& execution = {});

/// Every entry of a matrix of distances or squared ones, once, as distances: where products would go through
/// all of them again and again. Cost: half of all entries, 2 #V² bytes. Throws InputError as above.
std::vector<float> packed_entries(const DistanceMatrix& matrix, std::int64_t memory_bound,
                                  const Execution& execution = {});

}  // namespace geodome::internal
