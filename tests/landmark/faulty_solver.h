#pragma once
/// A solver with faults, for tests of what notices them.

#include <algorithm>
#include <utility>
#include <vector>

#include "geodome/geodesic/solver.h"

namespace geodome {

/// Rows of some sources are spoilt by a factor, and the rest differs a little with the direction.
class FaultySolver : public GeodesicSolver {
 public:
  FaultySolver(const GeodesicSolver& good, std::vector<Index> faulty, double factor)
      : good_(good), faulty_(std::move(faulty)), factor_(factor) {}
  Index size() const override { return good_.size(); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    good_.distances(sources, out, execution);
    for (std::size_t s = 0; s < sources.size(); ++s) {
      const auto row = static_cast<Eigen::Index>(s);
      out.row(row) *= 1 + 0.004 * (sources[s] % 3);
      if (std::find(faulty_.begin(), faulty_.end(), sources[s]) == faulty_.end()) continue;
      out.row(row) *= factor_;
      out(row, sources[s]) = 0;
    }
  }

 private:
  const GeodesicSolver& good_;
  std::vector<Index> faulty_;
  double factor_;
};

}  // namespace geodome
