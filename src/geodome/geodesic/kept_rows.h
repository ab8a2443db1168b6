#pragma once
/// A solver that keeps its rows for callers that request the same ones again.

#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "geodome/geodesic/solver.h"

namespace geodome::internal {

/// Rows are kept in double precision, so that a row is the same the first and the second time. Those that do
/// not fit into `bound` bytes are measured again.
class KeptRows final : public GeodesicSolver {
 public:
  KeptRows(std::shared_ptr<const GeodesicSolver> solver, std::int64_t bound)
      : solver_(std::move(solver)), bound_(bound) {}

  /// The one that measures.
  const GeodesicSolver& solver() const { return *solver_; }

  Index size() const override { return solver_->size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override;
  std::vector<Neighbour> within(Index source, double radius) const override {
    return solver_->within(source, radius);
  }

 private:
  std::vector<Index> copy_kept(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out) const;
  void keep(Index source, const double* row) const;

  std::shared_ptr<const GeodesicSolver> solver_;
  std::int64_t bound_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<Index, std::vector<double>> rows_;
};

}  // namespace geodome::internal
