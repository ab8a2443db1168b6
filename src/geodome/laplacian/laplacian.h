#pragma once
/// The Laplacian of any kind of shape as a stiffness matrix L and a lumped mass D, and the biharmonic
/// operator. L is positive semi-definite (L = V - A: positive diagonal, minus the weights beside it),
/// everywhere.

#include <cstdint>

#include "geodome/base/execution.h"
#include "geodome/base/types.h"
#include "geodome/laplacian/options.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

struct Laplacian {
  SparseMatrix stiffness;  ///< #V by #V, symmetric, rows sum to zero, every diagonal entry stored
  /// #V. Zero for a vertex that no face of positive area touches; its row of the stiffness is zero too.
  Vector mass;
};

/// Stiffness and mass of
/// - a triangle mesh: cotangent weights and a third of the incident area [Pinkall and Polthier 1993]; faces
///   whose area is zero to rounding contribute nothing; orientation and manifoldness do not matter;
/// - a polygon mesh: the gradient of each face from its vector area, plus a term for what no gradient
/// explains
///   [Alexa and Wardetzky 2011; de Goes, Butts, Desbrun 2020]; equal to the above on triangles, exact for
///   linear functions on flat polygons, convex or not; each corner carries an equal share of the vector area;
/// - a point cloud: cotangent weights of the local Delaunay triangulation in each tangent plane, averaged
/// over
///   the two ends of an edge, none negative [after Liu, Prabhakaran, Guo 2012], and Voronoi masses [Meyer et
///   al. 2003]; points at one position share the mass and are joined by a weight as large as all others there
///   together; a point with no triangles around it has neither weights nor mass;
/// - a graph: L = V - A with the chosen weights, D = I; self-loops are ignored, the edges of a pair count
/// once;
/// - samples: L = V - A with SNE weights [Hinton and Roweis 2002] on nearest neighbours, D = I.
/// Cost: O(#V log #V) time for points and samples, O(#V + #F) otherwise; O(#V + #F) memory.
/// Throws InputError on indices out of range, non-finite coordinates or options out of range.
Laplacian laplacian(const Shape& shape, const LaplacianOptions& options = {},
                    const Execution& execution = {});

/// M = Lᵀ D⁻¹ L, #V by #V. A vertex of zero mass has no curvature to weigh: its row of L is left out, as if
/// its inverse mass were zero. Cost: O(nonzeros of M).
SparseMatrix biharmonic(const Laplacian& laplacian);

}  // namespace geodome::internal
