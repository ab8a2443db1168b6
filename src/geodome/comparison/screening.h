#pragma once
/// Which pairs of many forms are worth aligning: numbers that no motion changes, compared for all pairs.

#include <utility>
#include <vector>

#include "geodome/comparison/form_samples.h"

namespace geodome::internal {

/// #forms by #forms: root mean square differences between the distributions of the distances of the samples
/// from their centre, and between the lengths of the principal axes, in the forms' units. Cost: O(#forms ·
/// samples + #forms²). Throws InputError when dimensions differ.
RowMatrix<double> signature_distances(const std::vector<FormSamples>& forms);

using FormPair = std::pair<Index, Index>;  ///< the larger first

/// Every form with the `candidates` others nearest to it; each pair once, in order.
std::vector<FormPair> nearest_pairs(const RowMatrix<double>& distances, Index candidates);

/// How alignment distances follow from those of signatures.
struct SignatureScale {
  double typical = 0;  ///< median of alignment distance / signature distance
  double least = 0;    ///< their 1 % quantile
};

/// `aligned` is #forms by #forms, infinite for pairs that were not aligned.
SignatureScale signature_scale(const RowMatrix<double>& signatures, const RowMatrix<double>& aligned);

/// Pairs not aligned so far of which one form may be the nearest of the other, by the least scale: at most
/// `most` for each form, the most likely. Each pair once, in order.
std::vector<FormPair> doubtful_pairs(const RowMatrix<double>& signatures, const RowMatrix<double>& aligned,
                                     const SignatureScale& scale, Index most);

}  // namespace geodome::internal
