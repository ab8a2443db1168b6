#pragma once
/// A solver that keeps what it has measured, so that several methods can stand on the same rows.

#include <mutex>
#include <unordered_map>
#include <vector>

#include "geodome/geodesic/solver.h"

namespace geodome::internal {

/// Rows are kept in single precision, and everything is answered from what is kept: it makes no difference
/// who requested them first. `solver` must outlive it.
class RememberedRows final : public GeodesicSolver {
 public:
  /// Throws InputError, when rows are requested that would make more than `bound` bytes together.
  RememberedRows(const GeodesicSolver& solver, std::int64_t bound) : solver_(solver), bound_(bound) {}

  Index size() const override { return solver_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;

  /// The row of a source. Valid until `forget`.
  const std::vector<float>& row(Index source, const Execution& execution = {}) const;

  /// Measures what is not there yet, many at a time.
  void measure(std::span<const Index> sources, const Execution& execution = {}) const;
  bool has(std::span<const Index> sources) const;

  std::int64_t bytes() const;
  void forget();

  /// What a row has taken on average, measured afresh.
  double seconds_per_row() const;

 private:
  const GeodesicSolver& solver_;
  std::int64_t bound_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<Index, std::vector<float>> rows_;
  mutable double seconds_ = 0;
  mutable std::size_t measured_ = 0;
};

}  // namespace geodome::internal
