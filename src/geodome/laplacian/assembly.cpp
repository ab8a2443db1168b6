#include "geodome/laplacian/assembly.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

bool degenerate(double twice_area, double longest_squared) {
  static const double threshold = std::sqrt(std::numeric_limits<double>::epsilon());
  return !(twice_area > threshold * longest_squared);
}

}  // namespace

SparseMatrix assemble_stiffness(Index count, std::span<const Weight> weights) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(weights.size());
  for (const Weight& weight : weights)
    if (weight.a != weight.b)
      entries.emplace_back(std::min(weight.a, weight.b), std::max(weight.a, weight.b), weight.value);
  SparseMatrix upper(count, count);
  upper.setFromTriplets(entries.begin(), entries.end());

  // The diagonal comes from the summed weights, so that rows cancel as well as they can.
  Vector diagonal = Vector::Zero(count);
  for (Index column = 0; column < count; ++column)
    for (SparseMatrix::InnerIterator entry(upper, column); entry; ++entry) {
      diagonal[entry.row()] += entry.value();
      diagonal[column] += entry.value();
    }
  entries.clear();
  for (Index v = 0; v < count; ++v) entries.emplace_back(v, v, diagonal[v]);
  SparseMatrix result(count, count);
  result.setFromTriplets(entries.begin(), entries.end());
  const SparseMatrix lower = upper.transpose();
  result -= upper;
  result -= lower;
  result.makeCompressed();
  return result;
}

TriangleShape triangle_shape(const Eigen::RowVector3d& a, const Eigen::RowVector3d& b,
                             const Eigen::RowVector3d& c) {
  const std::array<Eigen::RowVector3d, 3> edge{c - b, a - c, b - a};  // edge k is opposite corner k
  const std::array<double, 3> squared{edge[0].squaredNorm(), edge[1].squaredNorm(), edge[2].squaredNorm()};
  // The cross product of the two shorter edges cancels least.
  const int longest = static_cast<int>(std::max_element(squared.begin(), squared.end()) - squared.begin());
  const double twice_area = edge[(longest + 1) % 3].cross(edge[(longest + 2) % 3]).norm();
  TriangleShape shape;
  if (degenerate(twice_area, squared[longest])) return shape;
  shape.area = twice_area / 2;
  for (int k = 0; k < 3; ++k)
    shape.half_cotangent[k] = -edge[(k + 1) % 3].dot(edge[(k + 2) % 3]) / (2 * twice_area);
  return shape;
}

TriangleShape triangle_shape(const std::array<double, 3>& lengths) {
  // Kahan's form of Heron's formula is stable for needles when the lengths are sorted.
  std::array<double, 3> sorted = lengths;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const auto [x, y, z] = sorted;
  const double product = (x + (y + z)) * (z - (x - y)) * (z + (x - y)) * (x + (y - z));
  const double twice_area = product > 0 ? std::sqrt(product) / 2 : 0;
  TriangleShape shape;
  if (degenerate(twice_area, x * x)) return shape;
  shape.area = twice_area / 2;
  for (int k = 0; k < 3; ++k) {
    const double opposite = lengths[k], left = lengths[(k + 1) % 3], right = lengths[(k + 2) % 3];
    const double dot = (left * left + (right - opposite) * (right + opposite)) / 2;
    shape.half_cotangent[k] = dot / (2 * twice_area);
  }
  return shape;
}

void require_finite(const Eigen::Ref<const RowMatrix<double>>& points) {
  for (Eigen::Index v = 0; v < points.rows(); ++v)
    if (!points.row(v).allFinite())
      throw InputError(text("vertex ", v, " has a coordinate that is not finite"));
}

}  // namespace geodome::internal
