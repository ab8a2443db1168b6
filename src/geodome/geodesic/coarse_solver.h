#pragma once
/// A solver that measures between the vertices of a coarser mesh there, and everything else on the mesh
/// itself.

#include <functional>
#include <memory>
#include <mutex>

#include "geodome/geodesic/marching/fast_marching.h"
#include "geodome/geodesic/solver.h"

namespace geodome::internal {

class CoarseSolver final : public GeodesicSolver {
 public:
  /// `full` makes the solver on the mesh itself, which has the same vertices; it is called once, when a
  /// distance is needed that the coarser mesh does not have.
  using MakeSolver = std::function<std::shared_ptr<const GeodesicSolver>(const Execution&)>;
  CoarseSolver(std::shared_ptr<const FastMarching> coarse, MakeSolver full)
      : size_(coarse->size()), make_full_(std::move(full)), coarse_(std::move(coarse)) {}
  /// With the coarser mesh made at first use, for a rank that is not expected to measure on it.
  using MakeCoarse = std::function<std::shared_ptr<const FastMarching>(const Execution&)>;
  CoarseSolver(Index size, MakeCoarse coarse, MakeSolver full)
      : size_(size), make_coarse_(std::move(coarse)), make_full_(std::move(full)) {}

  Index size() const override { return size_; }
  /// Whole rows are measured on the mesh itself.
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution = {}) const override {
    full(execution).distances(sources, out, execution);
  }
  /// On the coarser mesh where it has all sources and targets.
  RowMatrix<double> between(std::span<const Index> sources, std::span<const Index> targets,
                            const Execution& execution = {}) const override {
    return solver_for(sources, targets, execution).between(sources, targets, execution);
  }
  SomeRows some_between(std::span<const Index> sources, std::span<const Index> targets, const Share& share,
                        const Execution& execution = {}) const override {
    return solver_for(sources, targets, execution).some_between(sources, targets, share, execution);
  }
  std::vector<Neighbour> within(Index source, double radius) const override {
    return full({}).within(source, radius);
  }

 private:
  const FastMarching& coarse(const Execution& execution) const;
  const GeodesicSolver& full(const Execution& execution) const;
  const GeodesicSolver& solver_for(std::span<const Index> sources, std::span<const Index> targets,
                                   const Execution& execution) const;

  Index size_;
  MakeCoarse make_coarse_;
  MakeSolver make_full_;
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const FastMarching> coarse_;
  mutable std::shared_ptr<const GeodesicSolver> full_;
};

}  // namespace geodome::internal
