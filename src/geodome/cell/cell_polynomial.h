#pragma once
/// Coordinates of vertices in their cell as polynomials of their positions, so that none are stored.

#include <array>
#include <cstdint>
#include <span>

#include "geodome/base/types.h"
#include "geodome/matrix/storage_check.h"

namespace geodome::internal {

/// Numbers of monomials x^a y^b z^c of degree at most 2 and 3, the constant one among them.
inline constexpr std::array<Index, 2> monomial_counts = {10, 20};
inline constexpr Index most_monomials = monomial_counts.back();

/// #V by 3, as a shape or a file holds them: one of the two.
struct CellPositions {
  std::span<const double> exact{};
  std::span<const float> single{};
  const StorageCheck* check = nullptr;  ///< called before they are read

  Index size() const { return static_cast<Index>((exact.size() + single.size()) / 3); }
  Eigen::Vector3d operator[](Index vertex) const;
};

/// Positions in a cell are relative to its centre, in units of the distance of the farthest landmark of its
/// support from there.
struct CellFrame {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();
  double unit = 1;
};

/// `centre` and `support` are vertices.
CellFrame cell_frame(const CellPositions& positions, Index centre, std::span<const Index> support);

/// The monomials of a position, by degree.
using Monomials = Eigen::Matrix<double, most_monomials, 1>;
Monomials monomials(const CellFrame& frame, const Eigen::Vector3d& position);

/// A coordinate in steps. The same numbers wherever it is computed, as it is rounded the same way.
std::int16_t polynomial_code(std::span<const double> coefficients, const Monomials& values);

}  // namespace geodome::internal
