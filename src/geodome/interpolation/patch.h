#pragma once
/// Where some columns of P live: the part of the interpolation system that has to be solved for them.

#include <span>
#include <vector>

#include "geodome/base/sparse_cholesky.h"
#include "geodome/interpolation/cells.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/interpolation/system.h"

namespace geodome {

struct Patch {
  std::vector<Index> unknowns;  ///< increasing
  std::vector<char> rim;        ///< of each: in the outer rings, where the solution has to have faded
  bool whole = false;           ///< nothing lies beyond
};

/// The unknowns of the cells at most `rings` from the cluster; the outer `rim` rings of them are its rim.
Patch patch_around(const InterpolationSystem& system, const CellGraph& cells, std::span<const Index> cluster,
                   Index rings, Index rim);
Patch whole_patch(const InterpolationSystem& system);

/// #patch by #landmarks: -M_ub restricted to the patch.
RowMatrix<double> right_hand_sides(const InterpolationSystem& system, const Patch& patch,
                                   std::span<const Index> landmarks);

/// The factor of all unknowns. Throws NumericalError where too few digits are left: when M is not positive
/// definite to rounding, or a constant is not interpolated by itself to 1e-4.
SparseCholesky factor_whole(const InterpolationSystem& system);

/// The same for the system cut out of M on the patch alone, with zero imposed all around it.
SparseCholesky factor_patch(const InterpolationSystem& system, const Patch& patch);

/// For every column of a solved block (#patch by #columns) its `count` entries with the largest magnitudes,
/// in increasing order of row; false when one beyond the patch might have been larger.
bool select_largest(const InterpolationSystem& system, const Patch& patch, const RowMatrix<double>& block,
                    std::size_t count, std::span<std::vector<ColumnEntry>> columns);

}  // namespace geodome
