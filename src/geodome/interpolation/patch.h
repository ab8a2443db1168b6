#pragma once
/// Where some columns of P live: the part of the interpolation system that has to be solved for them.

#include <optional>
#include <span>
#include <vector>

#include "geodome/base/sparse_cholesky.h"
#include "geodome/interpolation/cell_graph.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/interpolation/system.h"

namespace geodome::internal {

struct Patch {
  std::vector<Index> unknowns;  ///< increasing
  std::vector<Index> rim;  ///< which of them are in the outer rings, where the solution has to have faded
  bool whole = false;      ///< nothing lies beyond
};

/// The unknowns of the cells at most `rings` from the cluster; the outer `rim` rings of them are its rim.
Patch patch_around(const InterpolationSystem& system, const CellGraph& cells, std::span<const Index> cluster,
                   Index rings, Index rim);
Patch whole_patch(const InterpolationSystem& system);

/// The factor of all unknowns. Throws NumericalError where too few digits are left: when M is not positive
/// definite to rounding, or a constant is not interpolated by itself to 1e-4.
SparseCholesky factor_whole(const InterpolationSystem& system);

/// The same for the system cut out of M on the patch alone, with zero imposed all around it.
SparseCholesky factor_patch(const InterpolationSystem& system, const Patch& patch);

/// Columns of P (those of the given landmarks) as far as the patch goes, in place of what `columns` held:
/// #landmarks times #patch numbers, column after column. `solve` is with the factor of the patch alone, or of
/// the whole.
enum class FactorOf { patch, whole };
void solve_columns(const InterpolationSystem& system, const Patch& patch, std::span<const Index> landmarks,
                   FactorOf factor, PartialSolve& solve, std::vector<float>& columns);

/// The `count` entries of largest magnitude of one of them, in increasing order of vertex; nothing when one
/// beyond the patch might have been larger.
std::optional<std::vector<ColumnEntry>> select_largest(const InterpolationSystem& system, const Patch& patch,
                                                       std::span<const float> column, std::size_t count);

}  // namespace geodome::internal
