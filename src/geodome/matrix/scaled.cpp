#include "geodome/matrix/scaled.h"

#include <cmath>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/matrix/dense_landmark_matrix.h"
#include "geodome/matrix/sparse_landmark_matrix.h"

namespace geodome {
namespace {

/// Steps and spacings of their own, and the owner of all else.
struct RescaledStorage {
  std::vector<double> step;
  std::vector<double> spacing;
  std::shared_ptr<const void> owner;
};

template <typename Arrays>
Arrays rescaled(Arrays arrays, double unit) {
  auto storage = std::make_shared<RescaledStorage>();
  LandmarkArrays& landmarks = arrays.landmarks;
  storage->spacing.assign(landmarks.spacing.begin(), landmarks.spacing.end());
  storage->step.assign(landmarks.step.begin(), landmarks.step.end());
  if (storage->step.empty()) storage->step.assign(storage->spacing.size(), 1);
  for (std::vector<double>* numbers : {&storage->step, &storage->spacing})
    for (double& number : *numbers) number *= unit;
  storage->owner = std::move(arrays.owner);
  landmarks.step = storage->step;
  landmarks.spacing = storage->spacing;
  arrays.owner = std::move(storage);
  return arrays;
}

}  // namespace

ScaledMatrix::ScaledMatrix(std::shared_ptr<const DistanceMatrix> matrix, double unit)
    : matrix_(std::move(matrix)), unit_(unit) {
  if (!(unit > 0 && std::isfinite(unit)))
    throw InputError(text("the unit of a matrix is ", unit, ", not a positive number"));
}

Vector ScaledMatrix::entries(std::span<const Index> I, std::span<const Index> J,
                             const Execution& execution) const {
  return matrix_->entries(I, J, execution) * factor();
}

RowMatrix<double> ScaledMatrix::block(std::span<const Index> I, std::span<const Index> J,
                                      const Execution& execution) const {
  return matrix_->block(I, J, execution) * factor();
}

RowMatrix<double> ScaledMatrix::rows(std::span<const Index> I, const Execution& execution) const {
  return matrix_->rows(I, execution) * factor();
}

RowMatrix<double> ScaledMatrix::apply(const Eigen::Ref<const RowMatrix<double>>& X,
                                      const Execution& execution) const {
  return matrix_->apply(X, execution) * factor();
}

std::shared_ptr<const LandmarkMatrix> in_unit(const LandmarkMatrix& form, double unit) {
  if (const auto* compact = dynamic_cast<const SparseLandmarkMatrix*>(&form))
    return std::make_shared<SparseLandmarkMatrix>(rescaled(compact->arrays(), unit), form.kind());
  if (const auto* dense = dynamic_cast<const DenseLandmarkMatrix*>(&form))
    return std::make_shared<DenseLandmarkMatrix>(form.size(), rescaled(dense->arrays(), unit), form.kind());
  throw InputError("this form cannot be read in another unit");
}

}  // namespace geodome
