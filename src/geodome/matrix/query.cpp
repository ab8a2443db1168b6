#include "geodome/matrix/query.h"

#include <utility>

#include "geodome/matrix/root.h"
#include "geodome/matrix/scaled.h"

namespace geodome::internal {
namespace {

/// A near field and the matrix it refers to.
struct OwnedField {
  OwnedField(std::shared_ptr<const DistanceMatrix> owner, LowerBound bound, QueryMode mode,
             std::shared_ptr<const LazyNearShape> shape)
      : matrix(std::move(owner)),
        field(*matrix->landmark_matrix(), std::move(bound), mode, std::move(shape)) {}

  std::shared_ptr<const DistanceMatrix> matrix;
  NearField field;
};

}  // namespace

std::shared_ptr<const DistanceMatrix> query_matrix(std::shared_ptr<const DistanceMatrix> matrix,
                                                   LowerBound bound, QueryMode mode,
                                                   std::shared_ptr<const LazyNearShape> shape) {
  if (matrix->landmark_matrix() != nullptr) {
    const auto owned =
        std::make_shared<const OwnedField>(std::move(matrix), std::move(bound), mode, std::move(shape));
    return {owned, &owned->field};
  }
  if (matrix->kind() == DistanceKind::distance) return matrix;
  return std::make_shared<RootMatrix>(std::move(matrix));
}

std::shared_ptr<const DistanceMatrix> squared_matrix(const std::shared_ptr<const DistanceMatrix>& matrix) {
  return matrix->kind() == DistanceKind::squared ? matrix : matrix->converted(DistanceKind::squared);
}

std::shared_ptr<const DistanceMatrix> in_unit(std::shared_ptr<const DistanceMatrix> matrix, double unit) {
  if (unit == 1) return matrix;
  if (const LandmarkMatrix* factors = matrix->landmark_matrix()) return factors->in_unit(unit);
  return std::make_shared<ScaledMatrix>(std::move(matrix), unit);
}

}  // namespace geodome::internal
