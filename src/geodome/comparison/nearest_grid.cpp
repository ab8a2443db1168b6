#include "geodome/comparison/nearest_grid.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {

NearestGrid::NearestGrid(const PointTree& tree, Index cells) : points_(tree.points().data()) {
  const RowMatrix<double>& points = tree.points();
  const auto axes = static_cast<std::size_t>(points.cols());
  if (axes < 1 || axes > most_axes)
    throw InputError(text("a grid of ", axes, " dimensions is not supported: use 1 to ", most_axes));
  // Samples of another form lie somewhat outside.
  constexpr double margin = 0.05;
  const Eigen::RowVectorXd low = points.colwise().minCoeff(), high = points.colwise().maxCoeff();
  const double space = margin * (high - low).maxCoeff();
  std::array<double, most_axes> width{};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    const auto k = static_cast<Eigen::Index>(axis);
    low_[axis] = low[k] - space;
    width[axis] = high[k] - low[k] + 2 * space;
    count_[axis] = 1;
  }
  // The longest sides of cells are halved until there would be too many cells.
  std::int64_t total = 1;
  while (2 * total <= cells) {
    std::size_t longest = 0;
    for (std::size_t axis = 1; axis < axes; ++axis)
      if (width[axis] / static_cast<double>(count_[axis]) >
          width[longest] / static_cast<double>(count_[longest]))
        longest = axis;
    if (!(width[longest] > 0)) break;
    count_[longest] *= 2;
    total *= 2;
  }
  for (std::size_t axis = 0; axis < axes; ++axis) {
    last_[axis] = static_cast<double>(count_[axis] - 1);
    per_length_[axis] = width[axis] > 0 ? static_cast<double>(count_[axis]) / width[axis] : 0;
  }

  nearest_.assign(static_cast<std::size_t>(total), PointTree::none);
  switch (axes) {
    case 1:
      fill<1>(points);
      break;
    case 2:
      fill<2>(points);
      break;
    case 3:
      fill<3>(points);
      break;
    default:
      fill<4>(points);
  }
}

template <std::size_t axes>
void NearestGrid::fill(const RowMatrix<double>& points) {
  const auto total = static_cast<std::int64_t>(nearest_.size());
  std::vector<std::array<double, axes>> centres(nearest_.size());
  std::array<std::int64_t, axes> stride;
  for (std::size_t axis = axes; axis-- > 0;)
    stride[axis] = axis + 1 == axes ? 1 : stride[axis + 1] * count_[axis + 1];
  for (std::int64_t cell = 0; cell < total; ++cell)
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const auto step = static_cast<double>(cell / stride[axis] % count_[axis]) + 0.5;
      centres[cell][axis] = low_[axis] + (per_length_[axis] > 0 ? step / per_length_[axis] : 0);
    }
  std::vector<double> squared(nearest_.size(), infinity);
  const auto offer = [&](std::int64_t cell, Index point) {
    if (point == PointTree::none || point == nearest_[cell]) return;
    const double now = squared_distance<axes>(centres[cell].data(), point);
    if (now < squared[cell]) {
      squared[cell] = now;
      nearest_[cell] = point;
    }
  };
  for (Index v = 0; v < static_cast<Index>(points.rows()); ++v) offer(cell_of<axes>(&points(v, 0)), v);
  // The point nearest to a centre is nearly always that of a cell beside it, in one order of the axes or the
  // other.
  constexpr int rounds = 2;
  for (int round = 0; round < rounds; ++round)
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const std::int64_t step = stride[axis], length = count_[axis];
      for (std::int64_t cell = 0; cell < total; ++cell)
        if (cell / step % length > 0) offer(cell, nearest_[cell - step]);
      for (std::int64_t cell = total; cell-- > 0;)
        if (cell / step % length + 1 < length) offer(cell, nearest_[cell + step]);
    }
}

double NearestGrid::diagonal() const {
  double sum = 0;
  for (const double steps : per_length_)
    if (steps > 0) sum += 1 / (steps * steps);
  return std::sqrt(sum);
}

}  // namespace geodome::internal
