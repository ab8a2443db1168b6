#pragma once
/// Points straight from the distances to a few landmarks, no matrix in between.

#include "geodome/base/execution.h"
#include "geodome/baselines/landmark_columns.h"
#include "geodome/embedding/embedding.h"

namespace geodome::internal {

/// Landmark MDS [de Silva and Tenenbaum 2004]: classical scaling of the landmarks alone, every other point
/// placed by its distances to them: z = -½ L# (δ - δ̄), δ its squared distances, δ̄ their mean over the
/// landmarks, L# the rows v_kᵀ / √λ_k. Axes are turned to the principal ones of all points. Exact for points
/// of a Euclidean space of that dimension. #V by #dimensions, each component centred; coordinates beyond the
/// positive eigenvalues are zero. Cost: O(#V l dimensions + l³). Throws InputError on fewer than one
/// dimension.
Embedding landmark_mds(const LandmarkColumns& columns, Index dimensions, const Execution& execution = {});

/// Pivot MDS [Brandes and Pich 2007]: the doubly centred squared distances to the landmarks, #V by l, take
/// the place of those between all points; its left singular vectors are the axes. The authors leave the scale
/// of an axis open; here a singular value σ stands for an eigenvalue σ √(#V / l), which is exact when all
/// points are landmarks. Cost: O(#V l² + l³). Throws InputError on fewer than one dimension.
Embedding pivot_mds(const LandmarkColumns& columns, Index dimensions, const Execution& execution = {});

}  // namespace geodome::internal
