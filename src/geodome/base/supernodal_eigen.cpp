#include <Eigen/SparseCholesky>

#include "geodome/base/error.h"
#include "geodome/base/supernodal_arrays.h"

namespace geodome::internal {
namespace {

/// Width of the supernode that begins at a column: the columns behind it whose pattern is its own, less the
/// diagonal above. Their dense block then holds no zeros.
Index supernode_width(const SparseMatrix& L, Index first) {
  const auto* begin = L.outerIndexPtr();
  const auto* row = L.innerIndexPtr();
  Index width = 1;
  while (first + width < L.cols()) {
    const Index last = first + width - 1, next = last + 1;
    const Index height = static_cast<Index>(begin[last + 1] - begin[last]);
    const bool follows =
        height > 1 && row[begin[last] + 1] == next && begin[next + 1] - begin[next] == height - 1;
    if (!follows) break;
    ++width;
  }
  return width;
}

/// LLᵀ does not say where it stopped; the pivots of LDLᵀ do.
Index first_bad_column(const SparseMatrix& matrix) {
  const Eigen::SimplicialLDLT<SparseMatrix> pivots(matrix);
  const auto& pivot = pivots.vectorD();
  Eigen::Index column = 0;
  while (column + 1 < pivot.size() && pivot[column] > 0) ++column;
  return pivots.permutationPinv().indices()[column];
}

}  // namespace

SupernodalArrays factor_supernodal_by_eigen(const SparseMatrix& matrix) {
  Eigen::SimplicialLLT<SparseMatrix> cholesky(matrix);
  if (cholesky.info() != Eigen::Success)
    throw NumericalError(text("a matrix of ", matrix.rows(),
                              " rows is not positive definite: its factorisation stops at column ",
                              first_bad_column(matrix)));
  const SparseMatrix L = cholesky.matrixL();
  SupernodalArrays arrays;
  const auto& order = cholesky.permutationPinv().indices();
  arrays.permutation.assign(order.data(), order.data() + order.size());
  if (arrays.permutation.empty())
    for (Index i = 0; i < matrix.rows(); ++i) arrays.permutation.push_back(i);

  arrays.first_column.push_back(0);
  arrays.row_begin.push_back(0);
  for (Index first = 0; first < L.cols();) {
    const Index width = supernode_width(L, first);
    const auto* begin = L.outerIndexPtr();
    const auto height = static_cast<std::int64_t>(begin[first + 1] - begin[first]);
    arrays.value_begin.push_back(static_cast<std::int64_t>(arrays.values.size()));
    arrays.rows.insert(arrays.rows.end(), L.innerIndexPtr() + begin[first],
                       L.innerIndexPtr() + begin[first + 1]);
    arrays.values.resize(arrays.values.size() + static_cast<std::size_t>(height * width), 0.0);
    double* block = arrays.values.data() + arrays.value_begin.back();
    for (Index c = 0; c < width; ++c) {
      const double* from = L.valuePtr() + begin[first + c];
      for (std::int64_t r = c; r < height; ++r) block[r * width + c] = from[r - c];
    }
    first += width;
    arrays.first_column.push_back(first);
    arrays.row_begin.push_back(static_cast<std::int64_t>(arrays.rows.size()));
  }
  return arrays;
}

#ifndef GEODOME_WITH_CHOLMOD
SupernodalArrays factor_supernodal(SparseMatrix matrix, FactorOrdering) {
  return factor_supernodal_by_eigen(matrix);
}
#endif

}  // namespace geodome::internal
