#include "geodome/maps/mean_distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/maps/components.h"
#include "geodome/matrix/landmark_matrix.h"

namespace geodome {

using namespace internal;

namespace {

/// Σ_j weight[j] d(i, j) for the members of one component.
Vector sums_within(const DistanceMatrix& matrix, std::span<const Index> members,
                   std::span<const double> weights, bool whole, const Execution& execution) {
  RowMatrix<double> column(static_cast<Eigen::Index>(members.size()), 1);
  for (std::size_t k = 0; k < members.size(); ++k)
    column(static_cast<Eigen::Index>(k), 0) = weights[members[k]];
  if (const LandmarkMatrix* factors = matrix.landmark_matrix())
    return factors->apply_within(members, column, execution).col(0);
  if (whole) return matrix.apply(column, execution).col(0);
  Vector sums(column.rows());
  constexpr std::size_t together = 16;
  for (std::size_t begin = 0; begin < members.size(); begin += together) {
    const auto some = members.subspan(begin, std::min(together, members.size() - begin));
    sums.segment(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size())) =
        matrix.block(some, members, execution) * column;
  }
  return sums;
}

}  // namespace

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
    const bool whole = static_cast<Index>(members.size()) == matrix.size();
    const Vector sums = sums_within(matrix, members, weight, whole, execution);
    double total = 0;
    for (const Index v : members) total += weight[v];
    for (std::size_t k = 0; k < members.size() && total > 0; ++k)
      mean[members[k]] = sums[static_cast<Eigen::Index>(k)] / total;
  }
  return mean;
}

}  // namespace geodome
