#pragma once
/// The distances that queries of a matrix return.

#include <memory>

#include "geodome/matrix/near_field.h"

namespace geodome::internal {

/// Of kind distance, whatever `matrix` stores. Of a matrix P W Pᵀ: with the near-field correction, on `shape`
/// where it is given, and never below `bound`, or with QueryMode::raw the product itself. Of any other
/// matrix: its own distances in both modes, square roots where it stores squares.
std::shared_ptr<const DistanceMatrix> query_matrix(std::shared_ptr<const DistanceMatrix> matrix,
                                                   LowerBound bound, QueryMode mode = QueryMode::near_field,
                                                   std::shared_ptr<const LazyNearShape> shape = nullptr);

/// The same matrix as squared distances; nullptr where its squared distances are another approximation, which
/// has to be built.
std::shared_ptr<const DistanceMatrix> squared_matrix(const std::shared_ptr<const DistanceMatrix>& matrix);

/// The same matrix with all distances multiplied by `unit`.
std::shared_ptr<const DistanceMatrix> in_unit(std::shared_ptr<const DistanceMatrix> matrix, double unit);

}  // namespace geodome::internal
