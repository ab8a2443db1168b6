#pragma once
/// The biharmonic interpolation operator P: given values at the landmarks, the smoothest function through
/// them. Rows at landmarks are unit rows; the others are -M_uu⁻¹ M_ub, thresholded [Turek and Huth 2018].

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/team.h"
#include "geodome/interpolation/options.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome::internal {

struct Interpolation {
  SparseRows P;  ///< #V by #landmarks; the row of a vertex that belongs to no cell is empty
  InterpolationSummary summary;
};

/// Whether one factorisation serves all landmarks, as far as can be told from the numbers.
bool has_one_factor(Index vertices, Index landmarks, const InterpolationOptions& options);

/// `cell` (#V): the landmark nearest to each vertex as a position in `landmarks`, or -1 for a vertex that
/// belongs to no component. Cost: about 1 to 8 ms per landmark; O(nonzeros) memory plus the factor. Throws
/// InputError on landmarks out of range or repeated, NumericalError where the factorisation fails.
Interpolation interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                     std::span<const Index> cell, const InterpolationOptions& options = {},
                                     const Execution& execution = {});

/// The same in two steps: what has to be done by one thread, among it the factorisation, and then the
/// columns. Whoever has other work for the other threads does it beside the first.
///
/// The ranks of a team may leave the factorisation to rank 0: the others make theirs with Factor::of_rank_0,
/// and all call `share` before `solve`.
class InterpolationSolver {
 public:
  enum class Factor { own, of_rank_0 };

  /// The first step. The Laplacian must outlive it.
  InterpolationSolver(const Laplacian& laplacian, std::vector<Index> landmarks, std::vector<Index> cell,
                      const InterpolationOptions& options = {}, Factor factor = Factor::own);
  ~InterpolationSolver();
  const std::vector<Index>& landmarks() const { return landmarks_; }
  /// Solves for columns as long as `stop`, called before each group of them, is false; `solve` goes on.
  void solve_until(const std::function<bool()>& stop, const Execution& execution = {});
  /// The factor of rank 0, if columns are left to solve for, and those it has solved for, to all ranks.
  void share(const Team& team);
  /// Once.
  Interpolation solve(const Execution& execution = {});

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepare(const struct BoundedLaplacian& bounded, Factor factor) const;
  Interpolation finish(Prepared& prepared, const Execution& execution) const;

  const Laplacian& laplacian_;
  std::vector<Index> landmarks_, cell_;
  InterpolationOptions options_;
  std::unique_ptr<Prepared> prepared_;
};

/// All of P, nothing left out: #V by #landmarks. Cost: O(#V · #landmarks) memory.
RowMatrix<float> dense_interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                              std::span<const Index> cell, const Execution& execution = {});

/// The smoothest function through `values` (#landmarks by m) at the landmarks: #V by m. One solve per column,
/// without computing P. A vertex that belongs to no cell gets NaN.
RowMatrix<double> interpolate(const Laplacian& laplacian, std::span<const Index> landmarks,
                              std::span<const Index> cell, const RowMatrix<double>& values);

}  // namespace geodome::internal
