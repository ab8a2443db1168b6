#pragma once
/// The mean distance of every vertex to all others, by products with the matrix.

#include <span>

#include "geodome/matrix/distance_matrix.h"

namespace geodome {

/// #V: the sum over j of weight[j] d(i, j), divided by the sum of the weights, both over the component of i;
/// j = i included. No weights: all one. NaN for a vertex without component, or in one whose weights sum to
/// zero.
///
/// Cost: one product with the matrix per component: for P W Pᵀ two passes over P and one over W; #V² where
/// products go through all entries. Throws InputError on a wrong number of weights, on weights that are
/// negative or not finite, and for a matrix of squared distances without distances.
Vector mean_distance(const DistanceMatrix& matrix, std::span<const double> weights = {},
                     const Execution& execution = {});

}  // namespace geodome
