#pragma once
/// Sparse Cholesky factorisation, kept by supernodes: fast for blocks of right-hand sides, and able to
/// compute just a few rows of a solution.
///
///   const SparseCholesky factor(A);
///   const RowMatrix<double> X = factor.solve(B);   // A X = B

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/base/supernodal_arrays.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// Const and thread-safe after construction.
class SparseCholesky {
 public:
  /// `matrix` is n by n, symmetric positive definite, with both triangles.
  /// Throws NumericalError where it is not positive definite.
  /// Cost: that of a sparse Cholesky factorisation; `bytes()` memory.
  explicit SparseCholesky(SparseMatrix matrix, FactorOrdering ordering = FactorOrdering::best);
  explicit SparseCholesky(SupernodalArrays arrays);

  Index size() const { return static_cast<Index>(position_.size()); }
  std::size_t bytes() const;
  /// Leaves nothing to solve with.
  SupernodalArrays take_arrays() { return std::move(arrays_); }

  /// The solution X of A X = B, n by k.
  RowMatrix<double> solve(RowMatrix<double> B) const;
  Vector solve(const Vector& b) const;

  /// On input row i of `block` (#rows by k) is row rows[i] of a right-hand side that is zero elsewhere; on
  /// output, row rows[i] of the solution, the same as that of a whole solve. Rows must be distinct.
  void solve_rows(std::span<const Index> rows, Eigen::Ref<RowMatrix<double>> block) const;

 private:
  friend class PartialSolve;

  SupernodalArrays arrays_;
  std::vector<Index> position_;  ///< original row -> permuted position
  std::vector<Index> node_of_;   ///< permuted position -> supernode
};

/// A few rows of a solution, again and again: what it works in is kept from one time to the next. Only the
/// supernodes between those rows and the root of the elimination tree are visited.
/// Cost: proportional to k times the factor's entries in those supernodes.
class PartialSolve {
 public:
  /// The factor must outlive it.
  explicit PartialSolve(const SparseCholesky& factor);

  /// Begins anew: k right-hand sides of zero, and the rows that are wanted.
  void begin(std::span<const Index> rows, int k);
  /// The k numbers of a wanted row of the right-hand sides, to be filled in.
  double* right_hand_side(Index row);
  /// Once, after they are.
  void solve();
  /// The k numbers of a wanted row of the solution.
  const double* solution(Index row) const { return block_.data() + place_of(row) * lanes_; }

 private:
  std::int64_t place_of(Index row) const { return place_[factor_.position_[row]]; }
  /// The wanted rows' supernodes and all their ancestors, in elimination order.
  void find_nodes(std::span<const Index> rows);
  Index parent(Index node) const;
  struct SupernodeView view(Index node);

  const SparseCholesky& factor_;
  int lanes_ = 0;              ///< k, and as many more as the inner loops ask for
  std::vector<Index> nodes_;   ///< those visited
  std::vector<char> visited_;  ///< of each supernode
  std::vector<char> loaded_;   ///< of each supernode: whether its right-hand sides may differ from zero
  std::vector<Index> place_;   ///< permuted position -> row of the block, where it is visited
  std::vector<int> below_;
  LargeVector<double> block_;  ///< rows of the visited supernodes by lanes
};

}  // namespace geodome::internal
