#pragma once
/// Continues a function that is known at some vertices to all others.

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/geodesic/options.h"
#include "geodome/shape/shape.h"

namespace geodome {

/// The smoothest function through the given values: the one of least biharmonic energy, the operator that P
/// is made of. `values` is #V by m, one function per column, NaN where it is not known; the result has the
/// same size and keeps the given values. options.keep leaves vertices out: they become NaN, and no value
/// passes through them. A component where a column has no value becomes NaN there.
///
/// The functions are not bounded by the given values: beyond them they go on as slopes lead. Cost: one sparse
/// factorisation for each set of vertices with values, shared by the columns that have the same one (about
/// 10 µs per vertex), and a solve per column. Throws InputError where `values` has another number of rows, or
/// an infinite value, or no value at all.
RowMatrix<double> interpolate_values(const Shape& shape, const Eigen::Ref<const RowMatrix<double>>& values,
                                     const GeodesicOptions& options = {}, const Execution& execution = {});

/// #V: the area around every vertex of a surface, as the weights of means and integrals; 1 per vertex on
/// graphs and samples, and 0 for a vertex left out by options.keep or without a face.
Vector vertex_areas(const Shape& shape, const GeodesicOptions& options = {}, const Execution& execution = {});

}  // namespace geodome
