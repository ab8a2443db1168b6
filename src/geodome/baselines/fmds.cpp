#include "geodome/baselines/fmds.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/sparse_cholesky.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/bounded_weights.h"
#include "geodome/interpolation/system.h"

namespace geodome::internal {
namespace {

/// M + μ B Bᵀ of the vertices that are solved for, landmarks among them.
struct SoftSystem {
  InterpolationSystem interpolation;
  std::vector<Index> vertex_of;  ///< unknown -> vertex
  std::vector<Index> unknown_of;
  SparseCholesky factor;
};

SoftSystem make_soft_system(const Laplacian& laplacian, std::span<const Index> landmarks,
                            std::span<const Index> cell, double softening) {
  InterpolationSystem system = make_interpolation_system(laplacian, landmarks, cell);
  std::vector<Index> kept, position(cell.size(), -1);
  for (std::size_t v = 0; v < cell.size(); ++v)
    if (system.unknown_of[v] >= 0 || system.landmark_at[v] >= 0) {
      position[v] = static_cast<Index>(kept.size());
      kept.push_back(static_cast<Index>(v));
    }
  SparseMatrix matrix = principal_submatrix(system.M, kept, position);
  for (const Index landmark : landmarks) matrix.coeffRef(position[landmark], position[landmark]) += softening;
  matrix.makeCompressed();
  SparseCholesky factor(matrix);
  return {std::move(system), std::move(kept), std::move(position), std::move(factor)};
}

/// The landmarks' misfit is all that tells constants apart: beside a large M its digits may be lost.
void require_constants(const SoftSystem& system, std::span<const Index> landmarks, double softening) {
  Vector ones = Vector::Zero(static_cast<Eigen::Index>(system.vertex_of.size()));
  for (const Index landmark : landmarks) ones[system.unknown_of[landmark]] = softening;
  const double deviation = (system.factor.solve(ones).array() - 1).abs().maxCoeff();
  if (!(deviation <= 1e-4))
    throw NumericalError(
        text("a softening of ", softening,
             " is too small for the units of the shape (a constant is interpolated with an error of ",
             deviation, "); its unit is 1 / length²: increase it, or scale the shape up"));
}

}  // namespace

RowMatrix<float> soft_interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                             std::span<const Index> cell, double softening,
                                             const Execution& execution) {
  if (!(softening > 0 && std::isfinite(softening)))
    throw InputError(text("softening must be positive and finite, got ", softening));
  std::optional<SoftSystem> found;
  solve_with_bounded_weights(laplacian, landmarks.size(), [&](const BoundedLaplacian& bounded) {
    SoftSystem system = make_soft_system(bounded.laplacian, landmarks, cell, softening);
    require_constants(system, landmarks, softening);
    found.emplace(std::move(system));
  });
  const SoftSystem& system = *found;
  RowMatrix<float> H = RowMatrix<float>::Zero(static_cast<Eigen::Index>(cell.size()),
                                              static_cast<Eigen::Index>(landmarks.size()));
  constexpr std::size_t block = 64;
  parallel_for(
      (landmarks.size() + block - 1) / block, execution, "interpolation", [&](std::size_t item, int) {
        const std::size_t first = item * block;
        const auto some = landmarks.subspan(first, std::min(block, landmarks.size() - first));
        RowMatrix<double> X = RowMatrix<double>::Zero(static_cast<Eigen::Index>(system.vertex_of.size()),
                                                      static_cast<Eigen::Index>(some.size()));
        for (std::size_t k = 0; k < some.size(); ++k)
          X(system.unknown_of[some[k]], static_cast<Eigen::Index>(k)) = softening;
        X = system.factor.solve(std::move(X));
        for (std::size_t u = 0; u < system.vertex_of.size(); ++u)
          H.row(system.vertex_of[u]).segment(static_cast<Eigen::Index>(first), X.cols()) =
              X.row(static_cast<Eigen::Index>(u)).cast<float>();
      });
  for (const Index vertex : system.interpolation.copied) H.row(vertex) = H.row(landmarks[cell[vertex]]);
  return H;
}

FactoredMatrix fmds(const LandmarkColumns& columns, RowMatrix<float> H, DistanceKind kind) {
  if (H.rows() != columns.C.rows() || H.cols() != static_cast<Eigen::Index>(columns.order.vertices.size()))
    throw InputError(text("an interpolation of ", H.rows(), " by ", H.cols(), " for ", columns.C.rows(),
                          " vertices and ", columns.order.vertices.size(), " landmarks"));
  Factors factors;
  factors.A = own_columns(std::move(H), columns.order);
  factors.B = kind == DistanceKind::squared ? RowMatrix<float>(columns.C.cwiseAbs2()) : columns.C;
  factors.component = columns.labels();
  return {std::move(factors), kind};
}

}  // namespace geodome::internal
