#pragma once
/// A sparse Cholesky factor as plain arrays, whichever library computed it.

#include <cstdint>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/base/team.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// L with A(permutation, permutation) = L Lᵀ. Supernode t owns the columns first_column[t] ..
/// first_column[t+1); its rows are rows[row_begin[t] .. row_begin[t+1]), beginning with those columns
/// themselves, and its dense block (#rows by #columns, row after row; what is above its diagonal means
/// nothing) starts at values[value_begin[t]].
struct SupernodalArrays {
  std::vector<std::int64_t> first_column;
  std::vector<std::int64_t> row_begin;
  std::vector<std::int64_t> value_begin;
  std::vector<Index> rows;
  UntouchedVector<double> values;
  std::vector<std::int64_t> permutation;  ///< permuted position -> original row
};

/// The arrays of rank `root`, to all; no copy is made on the way.
void broadcast(const Team& team, SupernodalArrays& arrays, int root);

enum class FactorOrdering {
  best,   ///< nested dissection where there is CHOLMOD: least work for a large matrix that is solved often
  quick,  ///< minimum degree: least time to order a small matrix that is solved once
};

/// `matrix` is symmetric positive definite, both triangles. By CHOLMOD where it was built in, by Eigen
/// otherwise. Throws NumericalError naming the column where it is not positive definite.
/// It is released as early as possible, so hand over what is not needed any more.
SupernodalArrays factor_supernodal(SparseMatrix matrix, FactorOrdering ordering = FactorOrdering::best);

/// The same by Eigen alone, always there: slower, and no GPL.
SupernodalArrays factor_supernodal_by_eigen(const SparseMatrix& matrix);

}  // namespace geodome::internal
