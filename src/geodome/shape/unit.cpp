#include "geodome/shape/unit.h"

#include <algorithm>
#include <cmath>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

/// Sizes within 2 to the power of plus or minus this are computed as they are.
constexpr int ordinary_exponent = 30;

template <typename Positions>
double extent(const Positions& positions) {
  if (positions.size() == 0) return 0;
  return (positions.colwise().maxCoeff() - positions.colwise().minCoeff()).maxCoeff();
}

struct SizeOf {
  double operator()(const TriangleMesh& mesh) const { return extent(mesh.points); }
  double operator()(const PolygonMesh& mesh) const { return extent(mesh.points); }
  double operator()(const PointCloud& cloud) const { return extent(cloud.points); }
  double operator()(const Samples& samples) const { return extent(samples.values); }
  double operator()(const Graph& graph) const {
    double longest = 0;
    for (const Edge& edge : graph.edges) longest = std::max(longest, edge.length);
    return longest;
  }
};

struct Rescale {
  double unit;

  void operator()(TriangleMesh& mesh) const { mesh.points /= unit; }
  void operator()(PolygonMesh& mesh) const { mesh.points /= unit; }
  void operator()(PointCloud& cloud) const { cloud.points /= unit; }
  void operator()(Samples& samples) const { samples.values /= unit; }
  void operator()(Graph& graph) const {
    for (Edge& edge : graph.edges) edge.length /= unit;
  }
};

}  // namespace

double shape_size(const Shape& shape) {
  return std::visit(SizeOf{}, shape);
}

void require_size(const Shape& shape) {
  const double size = shape_size(shape);
  if (size == 0 || (size >= smallest_size && size <= largest_size)) return;
  throw InputError(text("the shape has a size of ", size, "; sizes from ", smallest_size, " to ",
                        largest_size, " are supported: use another unit of length"));
}

double unit_of(const Shape& shape) {
  const double size = shape_size(shape);
  if (!(size > 0)) return 1;
  const int exponent = std::ilogb(size);
  return std::abs(exponent) <= ordinary_exponent ? 1 : std::ldexp(1.0, exponent);
}

Shape in_units(Shape shape, double unit) {
  std::visit(Rescale{unit}, shape);
  return shape;
}

}  // namespace geodome::internal
