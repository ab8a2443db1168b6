#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"
#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/kinds.h"
#include "geodome/laplacian/similarity.h"

namespace geodome::internal {

Laplacian samples_laplacian(const Samples& samples, const LaplacianOptions& options,
                            const Execution& execution) {
  if (!(options.perplexity > 1 && options.perplexity < 1e6))
    throw InputError(text("perplexity must be above 1 and below a million, got ", options.perplexity));
  const Index count = static_cast<Index>(samples.values.rows());
  // Beyond three times the perplexity a Gaussian of that width weighs nothing.
  const Index k = static_cast<Index>(std::ceil(3 * options.perplexity));
  const Neighbours neighbours = nearest_neighbours(samples.values, k, options.seed, execution);
  const RowMatrix<double> probability = neighbour_probabilities(neighbours, options.perplexity);
  std::vector<Weight> weights;
  weights.reserve(static_cast<std::size_t>(probability.size()));
  for (Index v = 0; v < count; ++v)
    for (Eigen::Index i = 0; i < probability.cols(); ++i)
      weights.push_back({v, neighbours.vertex(v, i), probability(v, i) / 2});
  return {assemble_stiffness(count, weights), Vector::Ones(count)};
}

}  // namespace geodome::internal
