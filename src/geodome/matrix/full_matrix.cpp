#include "geodome/matrix/full_matrix.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"

namespace geodome::internal {
namespace {

constexpr double gigabyte = 1e9;

void check(const RowMatrix<double>& values) {
  if (values.rows() != values.cols())
    throw InputError(
        text("expected a square matrix of all distances, got ", values.rows(), " by ", values.cols()));
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      if (!(values(i, j) >= 0) || values(i, j) != values(j, i))
        throw InputError(text("the entries (", i, ", ", j, ") and (", j, ", ", i, ") are ", values(i, j),
                              " and ", values(j, i), "; they must be equal and not negative"));
}

/// Averages the two directions in place; infinite where either is.
void symmetrise(RowMatrix<double>& values, DistanceKind kind) {
  for (Eigen::Index i = 0; i < values.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) {
      double value = (values(i, j) + values(j, i)) / 2;
      if (kind == DistanceKind::squared) value *= value;
      values(i, j) = values(j, i) = value;
    }
}

}  // namespace

FullMatrix::FullMatrix(RowMatrix<double> values, DistanceKind kind)
    : values_(std::move(values)), kind_(kind), finite_(values_.allFinite()) {
  check(values_);
}

Vector FullMatrix::entries(std::span<const Index> I, std::span<const Index> J, const Execution&) const {
  require_pairs(I, J);
  Vector result(static_cast<Eigen::Index>(I.size()));
  for (std::size_t k = 0; k < I.size(); ++k) result[static_cast<Eigen::Index>(k)] = values_(I[k], J[k]);
  return result;
}

RowMatrix<double> FullMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                    const Execution& execution) const {
  require_rows(X.rows());
  require_finite(finite_);
  constexpr Index together = 128;
  RowMatrix<double> result(X.rows(), X.cols());
  const auto items = static_cast<std::size_t>((size() + together - 1) / together);
  parallel_for(items, execution, {}, [&](std::size_t item, int) {
    const Index begin = static_cast<Index>(item) * together;
    const Index count = std::min(together, size() - begin);
    result.middleRows(begin, count).noalias() = values_.middleRows(begin, count) * X;
  });
  return result;
}

std::int64_t FullMatrix::bytes() const {
  return static_cast<std::int64_t>(values_.size()) * static_cast<std::int64_t>(sizeof(double));
}

void require_memory_for_all(Index vertices, double bytes, std::int64_t memory_bound) {
  if (bytes > static_cast<double>(memory_bound))
    throw InputError(text("all distances between ", vertices, " vertices require ", bytes / gigabyte,
                          " GB, above the bound of ", static_cast<double>(memory_bound) / gigabyte,
                          " GB: use an approximation with landmarks, or a coarser shape"));
}

FullMatrix full_matrix(const GeodesicSolver& solver, DistanceKind kind, std::int64_t memory_bound,
                       const Execution& execution) {
  const auto n = static_cast<double>(solver.size());
  require_memory_for_all(solver.size(), 8 * n * n, memory_bound);
  std::vector<Index> all(static_cast<std::size_t>(solver.size()));
  std::iota(all.begin(), all.end(), 0);
  RowMatrix<double> values(solver.size(), solver.size());
  solver.distances(all, values, execution);
  symmetrise(values, kind);
  return {std::move(values), kind};
}

}  // namespace geodome::internal
