#pragma once
/// The sparse matrix P W Pᵀ, which sbha is and hybrid is based on.

#include "geodome/matrix/sparse_landmark_matrix.h"
#include "geodome/pipeline/method_run.h"

namespace geodome::internal {

struct SparseBuild {
  const MeasuredLandmarks* landmarks;  ///< nullptr where the matrix took them
  SparseLandmarkMatrix matrix;
};

/// `columns_per_landmark`: columns of #V numbers that the method holds for each landmark; 0: the landmarks
/// are not needed any more.
SparseBuild build_sparse(MethodRun& run, std::int64_t columns_per_landmark);

}  // namespace geodome::internal
