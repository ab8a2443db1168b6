#pragma once
/// The biharmonic interpolation operator P: given values at the landmarks, the smoothest function through
/// them. Rows at landmarks are unit rows; the others are -M_uu⁻¹ M_ub, thresholded [Turek and Huth 2018].

#include <memory>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/laplacian/laplacian.h"

namespace geodome {

enum class Sparsity {
  rows,                ///< the largest entries of every row, scaled to sum one
  columns,             ///< the paper's rule: the largest entries of every column
  columns_normalised,  ///< the same, rows scaled to sum one
  pursuit,             ///< as many in every column, chosen and fitted by matching pursuit (pursuit.h): slow
};

enum class InterpolationMethod {
  automatic,
  patches,  ///< a small factorisation around every group of landmarks; accurate to about 1e-6
  partial,  ///< one factorisation, solved only around every group of landmarks; exact there
  plain,    ///< one factorisation, solved everywhere
};

struct InterpolationOptions {
  Sparsity sparsity = Sparsity::rows;
  Index nonzeros = 50;  ///< per row, on average or at most; the paper finds 50 enough at any size
  InterpolationMethod method = InterpolationMethod::automatic;
};

struct InterpolationSummary {
  InterpolationMethod method = InterpolationMethod::automatic;
  Index clusters = 0;                ///< groups of landmarks solved together
  Index enlarged = 0;                ///< of them, those whose neighbourhood had to grow
  Index incomplete_rows = 0;         ///< rows whose sum misses one by more than 1e-3 before any scaling
  double largest_row_deviation = 0;  ///< of a row's sum from one, before any scaling
  Index copied_rows = 0;             ///< vertices without a Laplacian of their own: they copy their landmark
  Index bounded_vertices = 0;        ///< those whose weights had to be bounded (matrix/row_bounds.h)
};

struct Interpolation {
  SparseRows P;  ///< #V by #landmarks; the row of a vertex that belongs to no cell is empty
  InterpolationSummary summary;
};

/// `cell` (#V): the landmark nearest to each vertex as a position in `landmarks`, or -1 for a vertex that
/// belongs to no component. Cost: about 1 to 8 ms per landmark; O(nonzeros) memory plus the factor. Throws
/// InputError on landmarks out of range or repeated, NumericalError where the factorisation fails.
Interpolation interpolation_operator(const Laplacian& laplacian, std::span<const Index> landmarks,
                                     std::span<const Index> cell, const InterpolationOptions& options = {},
                                     const Execution& execution = {});

/// The same in two steps: what has to be done by one thread, among it the factorisation, and then the
/// columns. Whoever has other work for the other threads does it beside the first.
class InterpolationSolver {
 public:
  /// The first step. The Laplacian must outlive it.
  InterpolationSolver(const Laplacian& laplacian, std::vector<Index> landmarks, std::vector<Index> cell,
                      const InterpolationOptions& options = {});
  ~InterpolationSolver();
  const std::vector<Index>& landmarks() const { return landmarks_; }
  Interpolation solve(const Execution& execution = {}) const;

 private:
  struct Prepared;
  std::unique_ptr<Prepared> prepare(const struct BoundedLaplacian& bounded) const;
  Interpolation finish(const Prepared& prepared, const Execution& execution) const;

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

}  // namespace geodome
