#pragma once
/// Products with one component of a matrix.

#include <span>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// The block of the matrix among `members`, all vertices of one component, increasing, times X (#members by
/// k). `matrix` is of kind distance.
RowMatrix<double> product_within(const DistanceMatrix& matrix, std::span<const Index> members,
                                 const Eigen::Ref<const RowMatrix<double>>& X, const Execution& execution);

}  // namespace geodome::internal
