#pragma once
/// Distances given as a table: as a solver, and as a matrix to be compared with it.

#include <cmath>
#include <random>
#include <utility>

#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome {

class TableSolver : public GeodesicSolver {
 public:
  explicit TableSolver(RowMatrix<double> K) : K_(std::move(K)) {}
  Index size() const override { return static_cast<Index>(K_.rows()); }
  void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                 const Execution& execution) const override {
    for (std::size_t s = 0; s < sources.size(); ++s)
      out.row(static_cast<Eigen::Index>(s)) = K_.row(sources[s]);
    execution.report("table", 1);
  }

 private:
  RowMatrix<double> K_;
};

class TableMatrix : public DistanceMatrix {
 public:
  explicit TableMatrix(RowMatrix<double> K, DistanceKind kind = DistanceKind::distance)
      : K_(std::move(K)), kind_(kind) {}
  Index size() const override { return static_cast<Index>(K_.rows()); }
  DistanceKind kind() const override { return kind_; }
  Vector entries(std::span<const Index> I, std::span<const Index> J, const Execution&) const override {
    Vector result(static_cast<Eigen::Index>(I.size()));
    for (std::size_t k = 0; k < I.size(); ++k) result[static_cast<Eigen::Index>(k)] = K_(I[k], J[k]);
    return result;
  }
  std::int64_t bytes() const override { return K_.size() * 8; }

 private:
  RowMatrix<double> K_;
  DistanceKind kind_;
};

/// Distances between random points of a square; every third point has no way to the others but to its like.
inline RowMatrix<double> random_distances(Index size, bool two_components, unsigned seed = 3) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Eigen::MatrixXd points(size, 2);
  for (double& x : points.reshaped()) x = unit(random);
  RowMatrix<double> K(size, size);
  for (Index i = 0; i < size; ++i)
    for (Index j = 0; j < size; ++j)
      K(i, j) =
          two_components && (i % 3 == 0) != (j % 3 == 0) ? infinity : (points.row(i) - points.row(j)).norm();
  return K;
}

/// K with random relative errors, some rows four times worse than others, and a diagonal that is not zero.
inline RowMatrix<double> perturbed(const RowMatrix<double>& K, double size = 0.02) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  RowMatrix<double> result = K;
  for (Index i = 0; i < K.rows(); ++i) {
    const double row = size * std::exp(0.3 * normal(random));
    for (Index j = 0; j < K.cols(); ++j)
      if (std::isfinite(K(i, j))) result(i, j) = K(i, j) * (1 + row * normal(random)) + (i == j ? size : 0);
  }
  return result;
}

}  // namespace geodome
