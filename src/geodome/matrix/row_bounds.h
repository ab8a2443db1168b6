#pragma once
/// Bounds on what a row of P may do.
///
/// A biharmonic interpolant may overshoot: where landmarks that are close in the Laplacian are far apart
/// along the shape, a row of P gets large weights of both signs, or mixes two sides of a gap, and the
/// distances of that vertex are off by any factor. By the triangle inequality the distance from v to a
/// landmark b differs from that of its nearest landmark c by at most d(v, c). Rows that break this, or whose
/// 1-norm is too large, are replaced by weights that cannot extrapolate.

#include <string>

#include "geodome/base/execution.h"
#include "geodome/geodesic/adjacency.h"
#include "geodome/interpolation/options.h"
#include "geodome/interpolation/sparse_rows.h"
#include "geodome/landmark/landmark_distances.h"

namespace geodome::internal {

/// One sentence for people: how many rows of how many, and what it means. Empty where none was replaced.
std::string describe(const RowBounds& bounds, Index vertices);

/// Checks every row at eight landmarks spread over its component, and at its own columns where its 1-norm is
/// above 2.5. A row is replaced where its 1-norm is above 4, or where p·W_b differs from W_cb by more than
/// 1.5 times the distance to c along edges plus a quarter of the landmark spacing. The new weights are those
/// of inverse squared distance to the nearest landmarks along edges, six at most and no more than the row
/// had: positive, of sum one. Where `landmarks.reach` is empty the 1-norm alone decides.
/// Cost: O(nonzeros) time, and a search of a few cells for every replaced row.
RowBounds bound_rows(SparseRows& P, const OrderedLandmarks& landmarks, const LandmarkDistances& W,
                     const Adjacency& edges, const Execution& execution = {});

/// The same for all of P: #V by #landmarks.
RowBounds bound_rows(RowMatrix<float>& P, const OrderedLandmarks& landmarks, const LandmarkDistances& W,
                     const Adjacency& edges, const Execution& execution = {});

}  // namespace geodome::internal
