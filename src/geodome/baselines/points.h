#pragma once
/// Distances between points in few dimensions: what a pure embedding has to say about a shape.

#include <memory>
#include <vector>

#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

class PointMatrix final : public DistanceMatrix {
 public:
  /// `points` is #V by any dimension; `component` (#V, -1: unreferenced) may be empty: all in one. Throws
  /// InputError when their numbers differ or a coordinate is not finite.
  PointMatrix(RowMatrix<float> points, std::vector<Index> component, DistanceKind kind);

  const RowMatrix<float>* points() const override { return points_.get(); }
  Index component(Index vertex) const { return component_.empty() ? 0 : component_[vertex]; }

  Index size() const override { return static_cast<Index>(points_->rows()); }
  DistanceKind kind() const override { return kind_; }
  Vector entries(std::span<const Index> I, std::span<const Index> J,
                 const Execution& execution = {}) const override;
  /// Squared distances of points are a linear form of few columns; distances are none. Throws InputError on a
  /// shape of several components or with unreferenced vertices.
  RowMatrix<double> apply(const Eigen::Ref<const RowMatrix<double>>& X,
                          const Execution& execution = {}) const override;
  bool quadratic_product() const override { return kind_ == DistanceKind::distance; }
  std::int64_t bytes() const override;
  std::vector<Index> component_labels(const Execution& execution = {}) const override;
  std::shared_ptr<const DistanceMatrix> converted(DistanceKind kind) const override;

 private:
  std::shared_ptr<const RowMatrix<float>> points_;
  std::vector<Index> component_;
  DistanceKind kind_;
};

}  // namespace geodome::internal
