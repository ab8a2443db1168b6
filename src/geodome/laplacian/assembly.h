#pragma once
/// Helpers that every kind of Laplacian is assembled from.

#include <array>
#include <span>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// One off-diagonal term: -value at (a, b) and (b, a) of the stiffness, +value on both diagonals.
struct Weight {
  Index a = 0;
  Index b = 0;
  double value = 0;
};

/// Sums the weights into a symmetric #V by #V stiffness whose rows sum to zero; every diagonal is stored.
/// Cost: O(weights + count) time and memory.
SparseMatrix assemble_stiffness(Index count, std::span<const Weight> weights);

/// Half the cotangents of the three angles (angle k at corner k) and the area of a triangle.
struct TriangleShape {
  std::array<double, 3> half_cotangent{};
  double area = 0;  ///< zero when the triangle is degenerate, and then the cotangents are zero too
};

/// From its corners, or from its edge lengths (length k opposite corner k). A triangle counts as degenerate
/// when twice its area is below sqrt(machine epsilon) of its longest edge squared: beyond that, rounding in
/// the cotangents exceeds the smallest eigenvalue of the triangle's own stiffness, which would turn
/// indefinite.
TriangleShape triangle_shape(const Eigen::RowVector3d& a, const Eigen::RowVector3d& b,
                             const Eigen::RowVector3d& c);
TriangleShape triangle_shape(const std::array<double, 3>& lengths);

/// Throws InputError naming the first vertex with a coordinate that is not finite.
void require_finite(const Eigen::Ref<const RowMatrix<double>>& points);

}  // namespace geodome::internal
