#pragma once
/// The inner loops of solving with a sparse Cholesky factor: one supernode, a block of right-hand sides.

namespace geodome::internal {

/// Right-hand sides come in multiples of this.
constexpr int panel_lanes = 8;

/// One supernode of a factor and the rows of the block of right-hand sides that are its own.
struct SupernodeView {
  const double* values;  ///< #height by #columns, row after row; the triangle above its diagonal is not read
  int columns;
  int height;
  double* own;       ///< #columns by k
  const int* below;  ///< #height - #columns: rows of the whole block
};

/// own ← L⁻¹ own, and what follows from it is taken off the rows below. `block` is the whole block, k numbers
/// in a row, k a multiple of panel_lanes.
void solve_forward(const SupernodeView& node, int k, double* block);
/// own ← L⁻ᵀ (own - what the rows below, which are solved, add).
void solve_backward(const SupernodeView& node, int k, double* block);

}  // namespace geodome::internal
