#pragma once
/// Weights between samples by stochastic neighbour embedding.

#include "geodome/laplacian/neighbours.h"

namespace geodome::internal {

/// Row v holds the probabilities exp(-beta_v d²) / sum over the neighbours of v, with beta_v such that the
/// perplexity exp(-sum p ln p) is the requested one [Hinton and Roweis 2002]. #V by k, rows sum to one.
/// Where too many neighbours tie for the nearest (exact duplicates, say) for any beta, beta is set by
/// the next distance instead; where `perplexity` is k or more, all neighbours weigh the same.
/// Cost: O(#V k). Throws InputError when perplexity is not above 1.
RowMatrix<double> neighbour_probabilities(const Neighbours& neighbours, double perplexity);

}  // namespace geodome::internal
