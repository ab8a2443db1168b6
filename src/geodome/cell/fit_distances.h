#pragma once
/// W fitted to the measured distances of a sample of vertices, with P as it is.

#include <vector>

#include "geodome/cell/cell_model.h"

namespace geodome::internal {

/// The weights of some vertices, all in one component: #vertices by its landmarks.
SparseMatrix weights_of(const CellModel& model, std::span<const Index> vertices, Index landmarks);

/// Changes W, #landmarks by #landmarks of one component, so that P W P' comes closest to the sample: ridge
/// regression from W as it is, as far as that lowers the error of the rows of sources that are not landmarks.
/// Cost: a sparse factorisation and 2 #landmarks solves.
void fit_distances(const CellModel& model, const TrainingSums::Sample& sample,
                   std::span<const Index> landmarks, Index first_landmark, Eigen::MatrixXd& W,
                   const Execution& execution = {});

}  // namespace geodome::internal
