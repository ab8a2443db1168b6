#pragma once
/// How the weights P are computed, and what is reported about them.

#include "geodome/base/types.h"

namespace geodome {

enum class Sparsity {
  rows,                ///< the largest entries of every row, scaled to sum one
  columns,             ///< the paper's rule: the largest entries of every column
  columns_normalised,  ///< the same, rows scaled to sum one
  pursuit,             ///< as many in every column, chosen and fitted by matching pursuit : slow
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

/// Rows that would extrapolate (matrix/row_bounds.h).
struct RowBounds {
  Index replaced = 0;       ///< rows of P that were replaced
  double largest_norm = 0;  ///< 1-norm of a row before any was replaced; ordinary rows stay below 3
};

}  // namespace geodome
