#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <utility>

#include "geodome/laplacian/assembly.h"
#include "geodome/laplacian/cloud_stars.h"
#include "geodome/laplacian/kinds.h"

namespace geodome::internal {
namespace {

/// The part of a triangle nearer to corner 0 than to the others, or half or a quarter of it where an angle is
/// obtuse and that part would reach outside.
double voronoi_area(const TriangleShape& shape, const std::array<double, 3>& squared_length) {
  if (shape.half_cotangent[0] < 0) return shape.area / 2;
  if (shape.half_cotangent[1] < 0 || shape.half_cotangent[2] < 0) return shape.area / 4;
  return (squared_length[1] * shape.half_cotangent[1] + squared_length[2] * shape.half_cotangent[2]) / 4;
}

/// Adds up the weights of each pair. Where stars disagree a sum can fall below zero: it counts as zero, so
/// that the stiffness stays semi-definite. Points without mass of their own get no weights either.
std::vector<Weight> symmetrised(std::vector<Weight> weights, const Vector& mass) {
  for (Weight& weight : weights)
    if (weight.a > weight.b) std::swap(weight.a, weight.b);
  std::stable_sort(weights.begin(), weights.end(), [](const Weight& x, const Weight& y) {
    return std::pair(x.a, x.b) < std::pair(y.a, y.b);
  });
  std::vector<Weight> result;
  for (std::size_t begin = 0, end = 0; begin < weights.size(); begin = end) {
    Weight sum{weights[begin].a, weights[begin].b, 0};
    for (; end < weights.size() && weights[end].a == sum.a && weights[end].b == sum.b; ++end)
      sum.value += weights[end].value;
    if (sum.value > 0 && mass[sum.a] > 0 && mass[sum.b] > 0) result.push_back(sum);
  }
  return result;
}

/// Gives repeated points their share of the mass at their position, and joins them to the first one there.
void join_repeated(const std::vector<Index>& representative, std::vector<Weight>& weights, Vector& mass) {
  std::vector<Index> crowd(representative.size(), 0);
  for (const Index first : representative) ++crowd[static_cast<std::size_t>(first)];
  Vector total = Vector::Zero(mass.size());
  for (const Weight& weight : weights) {
    total[weight.a] += weight.value;
    total[weight.b] += weight.value;
  }
  for (std::size_t v = 0; v < representative.size(); ++v) {
    const Index first = representative[v];
    if (first == static_cast<Index>(v)) continue;
    weights.push_back({first, static_cast<Index>(v), total[first]});
    mass[static_cast<Index>(v)] = mass[first] / crowd[static_cast<std::size_t>(first)];
  }
  for (std::size_t v = 0; v < representative.size(); ++v)
    if (representative[v] == static_cast<Index>(v)) mass[static_cast<Index>(v)] /= crowd[v];
}

}  // namespace

Laplacian cloud_laplacian(const PointCloud& cloud, const LaplacianOptions& options,
                          const Execution& execution) {
  const CloudStars stars = cloud_stars(cloud, options.cloud_neighbours, execution);
  const Index count = static_cast<Index>(cloud.points.rows());
  std::vector<Weight> weights;
  weights.reserve(2 * stars.triangles.size());
  Laplacian result;
  result.mass = Vector::Zero(count);
  for (Index v = 0; v < count; ++v)
    for (std::size_t t = stars.offsets[static_cast<std::size_t>(v)];
         t < stars.offsets[static_cast<std::size_t>(v) + 1]; ++t) {
      const std::array<Index, 3> corner{v, stars.triangles[t][0], stars.triangles[t][1]};
      const Eigen::RowVector3d a = cloud.points.row(corner[0]), b = cloud.points.row(corner[1]),
                               c = cloud.points.row(corner[2]);
      const TriangleShape shape = triangle_shape(a, b, c);
      if (shape.area == 0) continue;
      result.mass[v] +=
          voronoi_area(shape, {(c - b).squaredNorm(), (a - c).squaredNorm(), (b - a).squaredNorm()});
      // Half from either end of an edge. Cotangents of points on a common circle agree however it is cut up.
      weights.push_back({v, corner[2], shape.half_cotangent[1] / 2});
      weights.push_back({v, corner[1], shape.half_cotangent[2] / 2});
    }
  weights = symmetrised(std::move(weights), result.mass);
  join_repeated(stars.representative, weights, result.mass);
  result.stiffness = assemble_stiffness(count, weights);
  return result;
}

}  // namespace geodome::internal
