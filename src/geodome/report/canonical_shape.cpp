#include "geodome/report/canonical_shape.h"

#include <algorithm>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

constexpr std::uint8_t grey = 128;
/// Off the ends, so that no colour is black or white and shading still shows.
constexpr double darkest = 30, lightest = 235;

struct Range {
  double low = infinity;
  double high = -infinity;
};

Points three_axes(const Eigen::Ref<const RowMatrix<double>>& Z) {
  Points points = Points::Zero(Z.rows(), 3);
  const Eigen::Index axes = std::min<Eigen::Index>(3, Z.cols());
  points.leftCols(axes) = Z.leftCols(axes);
  return points;
}

}  // namespace

Colours canonical_colours(const Eigen::Ref<const RowMatrix<double>>& Z, std::span<const Index> component) {
  if (static_cast<std::size_t>(Z.rows()) != component.size())
    throw InputError(text(Z.rows(), " points for ", component.size(), " vertices"));
  Colours colours = Colours::Constant(Z.rows(), 3, grey);
  const Index parts = component.empty() ? 0 : *std::max_element(component.begin(), component.end()) + 1;
  for (Eigen::Index axis = 0; axis < std::min<Eigen::Index>(3, Z.cols()); ++axis) {
    std::vector<Range> ranges(static_cast<std::size_t>(parts));
    for (Eigen::Index v = 0; v < Z.rows(); ++v) {
      if (component[v] < 0) continue;
      Range& range = ranges[component[v]];
      range.low = std::min(range.low, Z(v, axis));
      range.high = std::max(range.high, Z(v, axis));
    }
    for (Eigen::Index v = 0; v < Z.rows(); ++v) {
      if (component[v] < 0) continue;
      const Range& range = ranges[component[v]];
      if (!(range.high > range.low)) continue;
      const double share = (Z(v, axis) - range.low) / (range.high - range.low);
      colours(v, axis) = static_cast<std::uint8_t>(darkest + share * (lightest - darkest) + 0.5);
    }
  }
  return colours;
}

Shape canonical_shape(const Shape& shape, const Eigen::Ref<const RowMatrix<double>>& Z) {
  if (Z.rows() != vertex_count(shape))
    throw InputError(text(Z.rows(), " points for a shape of ", vertex_count(shape), " vertices"));
  if (const auto* mesh = std::get_if<TriangleMesh>(&shape))
    return TriangleMesh{three_axes(Z), mesh->triangles};
  if (const auto* mesh = std::get_if<PolygonMesh>(&shape))
    return PolygonMesh{three_axes(Z), mesh->corners, mesh->offsets};
  return PointCloud{three_axes(Z), {}};
}

}  // namespace geodome::internal
