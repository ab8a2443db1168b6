#pragma once
/// Sparse Cholesky factorisation, kept by supernodes: fast for blocks of right-hand sides, and able to
/// compute just a few rows of a solution.
///
///   const SparseCholesky factor(A);
///   const RowMatrix<double> X = factor.solve(B);   // A X = B

#include <cstdint>
#include <span>
#include <vector>

#include "geodome/base/supernodal_arrays.h"
#include "geodome/base/types.h"

namespace geodome {

/// Const and thread-safe after construction.
class SparseCholesky {
 public:
  /// `matrix` is n by n, symmetric positive definite, with both triangles.
  /// Throws NumericalError where it is not positive definite.
  /// Cost: that of a sparse Cholesky factorisation; `bytes()` memory.
  explicit SparseCholesky(const SparseMatrix& matrix, FactorOrdering ordering = FactorOrdering::best);
  explicit SparseCholesky(SupernodalArrays arrays);

  Index size() const { return static_cast<Index>(position_.size()); }
  std::size_t bytes() const;

  /// The solution X of A X = B, n by k.
  RowMatrix<double> solve(RowMatrix<double> B) const;
  Vector solve(const Vector& b) const;

  /// On input row i of `block` (#rows by k) is row rows[i] of a right-hand side that is zero elsewhere; on
  /// output, row rows[i] of the solution, the same as that of a whole solve. Rows must be distinct. Only the
  /// supernodes between those rows and the root of the elimination tree are visited.
  /// Cost: proportional to k times the factor's entries in those supernodes.
  void solve_rows(std::span<const Index> rows, Eigen::Ref<RowMatrix<double>> block) const;

 private:
  /// The supernodes of the given rows and all their ancestors, in elimination order.
  std::vector<std::int64_t> closure(std::span<const Index> rows) const;
  void forward(std::int64_t node, const std::vector<std::int64_t>& start, double* block, int k,
               std::vector<double>& scratch) const;
  void backward(std::int64_t node, const std::vector<std::int64_t>& start, double* block, int k,
                std::vector<double>& scratch) const;

  SupernodalArrays arrays_;
  std::vector<Index> position_;  ///< original row -> permuted position
  std::vector<Index> node_of_;   ///< permuted position -> supernode
};

}  // namespace geodome
