#include "geodome/maps/product.h"

#include <algorithm>

#include "geodome/matrix/landmark_matrix.h"

namespace geodome::internal {

RowMatrix<double> product_within(const DistanceMatrix& matrix, std::span<const Index> members,
                                 const Eigen::Ref<const RowMatrix<double>>& X, const Execution& execution) {
  if (const LandmarkMatrix* factors = matrix.landmark_matrix())
    return factors->apply_within(members, X, execution);
  if (static_cast<Index>(members.size()) == matrix.size()) return matrix.apply(X, execution);
  RowMatrix<double> result(X.rows(), X.cols());
  constexpr std::size_t together = 16;
  for (std::size_t begin = 0; begin < members.size(); begin += together) {
    const auto some = members.subspan(begin, std::min(together, members.size() - begin));
    result.middleRows(static_cast<Eigen::Index>(begin), static_cast<Eigen::Index>(some.size())) =
        matrix.block(some, members, execution) * X;
  }
  return result;
}

}  // namespace geodome::internal
