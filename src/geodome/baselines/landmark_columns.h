#pragma once
/// What the baselines are made of: all distances of the landmarks.

#include "geodome/landmark/landmark_order.h"

namespace geodome::internal {

/// The landmarks of a component side by side, each vertex with those of its own.
struct LandmarkColumns {
  const OrderedLandmarks& order;  ///< must outlive it
  /// #V by the most landmarks of a component: row v has the distances of v to the landmarks of its component,
  /// zero in what is left, and in the row of a vertex of none. Symmetric at landmarks.
  const RowMatrix<float>& C;

  Index components() const { return static_cast<Index>(order.component_first.size()) - 1; }
  Index first(Index component) const { return order.component_first[component]; }
  Index count(Index component) const { return first(component + 1) - first(component); }
  /// The vertices of each component, increasing.
  std::vector<std::vector<Index>> members() const;
  /// C at the component's landmarks, in double precision: W, or W∘W.
  Eigen::MatrixXd between(Index component, bool squared) const;
  /// The labels a matrix needs: none where all vertices are in one component.
  std::vector<Index> labels() const;
};

/// A matrix of #V by #landmarks numbers brought into the same shape as C: each vertex keeps the columns of
/// its component. Where there is one component nothing changes.
RowMatrix<float> own_columns(RowMatrix<float> all, const OrderedLandmarks& order);

}  // namespace geodome::internal
