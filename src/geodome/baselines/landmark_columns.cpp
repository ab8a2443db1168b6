#include "geodome/baselines/landmark_columns.h"

#include <algorithm>

namespace geodome::internal {

std::vector<std::vector<Index>> LandmarkColumns::members() const {
  std::vector<std::vector<Index>> result(static_cast<std::size_t>(components()));
  for (std::size_t v = 0; v < order.component.size(); ++v)
    if (order.component[v] >= 0) result[order.component[v]].push_back(static_cast<Index>(v));
  return result;
}

Eigen::MatrixXd LandmarkColumns::between(Index component, bool squared) const {
  const Index size = count(component);
  Eigen::MatrixXd W(size, size);
  for (Index k = 0; k < size; ++k)
    W.row(k) = C.row(order.vertices[first(component) + k]).head(size).cast<double>();
  if (squared) W = W.cwiseAbs2().eval();
  return W;
}

std::vector<Index> LandmarkColumns::labels() const {
  const bool one =
      std::all_of(order.component.begin(), order.component.end(), [](Index c) { return c == 0; });
  return one ? std::vector<Index>() : order.component;
}

RowMatrix<float> own_columns(RowMatrix<float> all, const OrderedLandmarks& order) {
  if (order.component_first.size() == 2) return all;
  Index most = 0;
  for (std::size_t c = 0; c + 1 < order.component_first.size(); ++c)
    most = std::max(most, order.component_first[c + 1] - order.component_first[c]);
  RowMatrix<float> own = RowMatrix<float>::Zero(all.rows(), most);
  for (Eigen::Index v = 0; v < all.rows(); ++v) {
    const Index c = order.component[static_cast<std::size_t>(v)];
    if (c < 0) continue;
    const Index first = order.component_first[c], count = order.component_first[c + 1] - first;
    own.row(v).head(count) = all.row(v).segment(first, count);
  }
  return own;
}

}  // namespace geodome::internal
