#include "geodome/maps/mean_distance.h"

#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/maps/components.h"
#include "geodome/maps/product.h"

namespace geodome {

using namespace internal;

Vector mean_distance(const DistanceMatrix& given, std::span<const double> weights,
                     const Execution& execution) {
  const auto converted =
      given.kind() == DistanceKind::distance ? nullptr : given.converted(DistanceKind::distance);
  if (given.kind() != DistanceKind::distance && !converted)
    throw InputError(
        "mean distances require a matrix of distances, and this one stores squared distances only");
  const DistanceMatrix& matrix = converted ? *converted : given;
  const std::vector<double> weight = checked_weights(weights, matrix.size());
  Vector mean = Vector::Constant(matrix.size(), std::numeric_limits<double>::quiet_NaN());
  for (const std::vector<Index>& members : component_members(matrix, execution)) {
    RowMatrix<double> column(static_cast<Eigen::Index>(members.size()), 1);
    for (std::size_t k = 0; k < members.size(); ++k)
      column(static_cast<Eigen::Index>(k), 0) = weight[members[k]];
    const Vector sums = product_within(matrix, members, column, execution).col(0);
    double total = 0;
    for (const Index v : members) total += weight[v];
    for (std::size_t k = 0; k < members.size() && total > 0; ++k)
      mean[members[k]] = sums[static_cast<Eigen::Index>(k)] / total;
  }
  return mean;
}

}  // namespace geodome
