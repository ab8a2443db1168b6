#include "geodome/matrix/distance_matrix.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/threads.h"
#include "geodome/matrix/packed_full_matrix.h"

namespace geodome {

using namespace internal;

void DistanceMatrix::require_vertices(std::span<const Index> vertices) const {
  for (const Index vertex : vertices)
    if (vertex < 0 || vertex >= size())
      throw InputError(text("vertex ", vertex, " is out of range [0, ", size(), ")"));
}

void DistanceMatrix::require_pairs(std::span<const Index> I, std::span<const Index> J) const {
  if (I.size() != J.size())
    throw InputError(text(I.size(), " first vertices of pairs, but ", J.size(), " second ones"));
  require_vertices(I);
  require_vertices(J);
}

void DistanceMatrix::require_finite(bool finite) {
  if (!finite)
    throw InputError(
        "the matrix has infinite entries, between components or at unreferenced vertices, so it "
        "cannot be multiplied: use one component at a time");
}

void DistanceMatrix::require_rows(Eigen::Index count) const {
  if (count != size())
    throw InputError(text("a matrix of ", count, " rows cannot be multiplied: the distances are ", size(),
                          " by ", size()));
}

RowMatrix<double> DistanceMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                        const Execution& execution) const {
  require_vertices(I);
  require_vertices(J);
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  const Execution inner = I.size() == 1 ? execution : Execution{1, {}};
  parallel_for(I.size(), execution, {}, [&](std::size_t i, int) {
    const std::vector<Index> same(J.size(), I[i]);
    result.row(static_cast<Eigen::Index>(i)) = entries(same, J, inner).transpose();
  });
  return result;
}

RowMatrix<double> DistanceMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  std::vector<Index> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  return block(I, all, execution);
}

std::vector<Index> DistanceMatrix::component_labels(const Execution& execution) const {
  constexpr Index unknown = -2;
  std::vector<Index> labels(static_cast<std::size_t>(size()), unknown);
  Index parts = 0;
  for (Index v = 0; v < size(); ++v) {
    if (labels[v] != unknown) continue;
    const RowMatrix<double> row = rows(std::span(&v, 1), execution);
    const bool alone = row.array().isFinite().count() <= 1;
    for (Index other = 0; other < size(); ++other)
      if (std::isfinite(row(0, other))) labels[other] = alone ? -1 : parts;
    labels[v] = alone ? -1 : parts;
    parts += !alone;
  }
  return labels;
}

RowMatrix<double> DistanceMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                        const Execution& execution) const {
  require_rows(X.rows());
  RowMatrix<double> result(X.rows(), X.cols());
  constexpr Index together = 64;
  std::vector<Index> some;
  for (Index begin = 0; begin < size(); begin += together) {
    some.resize(static_cast<std::size_t>(std::min(together, size() - begin)));
    std::iota(some.begin(), some.end(), begin);
    const RowMatrix<double> K = rows(some, execution);
    require_finite(K.allFinite());
    result.middleRows(begin, K.rows()).noalias() = K * X;
  }
  return result;
}

std::shared_ptr<const DistanceMatrix> DistanceMatrix::with_fast_products(std::int64_t memory_bound,
                                                                         const Execution& execution) const {
  if (!quadratic_product() || packed_full_bytes(size()) > memory_bound) return nullptr;
  return std::make_shared<PackedFullMatrix>(
      size(), packed_entries(*this, memory_bound, part_of(execution, "scaling", 0, 0.5)), kind());
}

}  // namespace geodome
