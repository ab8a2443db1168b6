#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/interpolation/bounded_weights.h"
#include "geodome/interpolation/operator.h"
#include "geodome/interpolation/patch.h"

namespace geodome::internal {
namespace {

/// All unknowns and their factor.
struct Whole {
  InterpolationSystem system;
  SparseCholesky factor;
};

Whole solve_whole(const Laplacian& laplacian, std::span<const Index> landmarks, std::span<const Index> cell) {
  std::optional<Whole> whole;
  solve_with_bounded_weights(laplacian, landmarks.size(), [&](const BoundedLaplacian& bounded) {
    InterpolationSystem system = make_interpolation_system(bounded.laplacian, landmarks, cell);
    SparseCholesky factor = factor_whole(system);
    whole.emplace(Whole{std::move(system), std::move(factor)});
  });
  return std::move(*whole);
}

}  // namespace

RowMatrix<float> dense_interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                              std::span<const Index> cell, const Execution& execution) {
  const Whole whole = solve_whole(laplacian, landmarks, cell);
  const auto vertices = static_cast<Eigen::Index>(laplacian.mass.size());
  RowMatrix<float> P = RowMatrix<float>::Zero(vertices, static_cast<Eigen::Index>(landmarks.size()));
  const Patch all = whole_patch(whole.system);
  constexpr std::size_t block_size = 64;
  const auto solve_some = [&](std::size_t item, int) {
    const std::size_t first = item * block_size;
    const auto some = landmarks.subspan(first, std::min(block_size, landmarks.size() - first));
    PartialSolve solve(whole.factor);
    std::vector<float> columns;
    solve_columns(whole.system, all, some, FactorOf::whole, solve, columns);
    for (std::size_t i = 0; i < all.unknowns.size(); ++i)
      for (std::size_t c = 0; c < some.size(); ++c)
        P(whole.system.vertex_of[i], static_cast<Eigen::Index>(first + c)) =
            columns[c * all.unknowns.size() + i];
  };
  parallel_for((landmarks.size() + block_size - 1) / block_size, execution, "interpolation", solve_some);
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    P(landmarks[position], static_cast<Eigen::Index>(position)) = 1;
  for (const Index vertex : whole.system.copied) P(vertex, cell[vertex]) = 1;
  return P;
}

RowMatrix<double> interpolate(const Laplacian& laplacian, std::span<const Index> landmarks,
                              std::span<const Index> cell, const RowMatrix<double>& values) {
  if (values.rows() != static_cast<Eigen::Index>(landmarks.size()))
    throw InputError(text("values for ", values.rows(), " landmarks, but there are ", landmarks.size()));
  const Whole whole = solve_whole(laplacian, landmarks, cell);
  const InterpolationSystem& system = whole.system;
  RowMatrix<double> block =
      RowMatrix<double>::Zero(static_cast<Eigen::Index>(system.vertex_of.size()), values.cols());
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    for (SparseMatrix::InnerIterator entry(system.M, landmarks[position]); entry; ++entry)
      if (const Index unknown = system.unknown_of[entry.row()]; unknown >= 0)
        block.row(unknown) -= entry.value() * values.row(static_cast<Eigen::Index>(position));
  block = whole.factor.solve(std::move(block));

  RowMatrix<double> result(laplacian.mass.size(), values.cols());
  result.setConstant(std::numeric_limits<double>::quiet_NaN());
  for (std::size_t u = 0; u < system.vertex_of.size(); ++u)
    result.row(system.vertex_of[u]) = block.row(static_cast<Eigen::Index>(u));
  for (std::size_t position = 0; position < landmarks.size(); ++position)
    result.row(landmarks[position]) = values.row(static_cast<Eigen::Index>(position));
  for (const Index vertex : system.copied) result.row(vertex) = values.row(cell[vertex]);
  return result;
}

}  // namespace geodome::internal
