#include "geodome/matrix/distance_matrix.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "geodome/base/error.h"

namespace geodome {

void DistanceMatrix::require_vertices(std::span<const Index> vertices) const {
  for (const Index vertex : vertices)
    if (vertex < 0 || vertex >= size())
      throw InputError(text("vertex ", vertex, " is out of range [0, ", size(), ")"));
}

void DistanceMatrix::require_rows(Eigen::Index count) const {
  if (count != size())
    throw InputError(text("a matrix of ", count, " rows cannot be multiplied: the distances are ", size(),
                          " by ", size()));
}

RowMatrix<double> DistanceMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                        const Execution& execution) const {
  RowMatrix<double> result(static_cast<Eigen::Index>(I.size()), static_cast<Eigen::Index>(J.size()));
  std::vector<Index> same(J.size());
  for (std::size_t i = 0; i < I.size(); ++i) {
    std::fill(same.begin(), same.end(), I[i]);
    result.row(static_cast<Eigen::Index>(i)) = entries(same, J, execution).transpose();
  }
  return result;
}

RowMatrix<double> DistanceMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  std::vector<Index> all(static_cast<std::size_t>(size()));
  std::iota(all.begin(), all.end(), 0);
  return block(I, all, execution);
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
    if (!K.allFinite())
      throw InputError(
          "the matrix has infinite entries, between components or at unreferenced vertices, so "
          "it cannot be multiplied: take one component at a time");
    result.middleRows(begin, K.rows()).noalias() = K * X;
  }
  return result;
}

}  // namespace geodome
