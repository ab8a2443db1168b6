#pragma once
/// Classical scaling of a form of dense factors by a QR decomposition: the scaling of FMDS, and of SMDS.

#include "geodome/baselines/factored.h"
#include "geodome/embedding/embedding.h"

namespace geodome {

/// Q R = J [A B] (J A, without B), then the eigenvectors of the largest eigenvalues of -½ R T Rᵀ, T the form
/// between the columns, carried back by Q [Shamai, Aflalo, Zibulevsky, Kimmel 2015]. `squared` is of kind
/// squared. Cost: O(n r²) time, factored_scaling_bytes. Throws InputError naming the bytes above
/// options.memory_bound.
Embedding embed_factored(const FactoredMatrix& squared, const EmbeddingOptions& options = {},
                         const Execution& execution = {});

/// What the QR decomposition of all vertices takes: 8 bytes for each number of the factors.
std::int64_t factored_scaling_bytes(const FactoredMatrix& matrix);

}  // namespace geodome
