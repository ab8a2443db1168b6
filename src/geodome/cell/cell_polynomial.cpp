#include "geodome/cell/cell_polynomial.h"

#include <algorithm>
#include <cmath>

namespace geodome::internal {

Eigen::Vector3d CellPositions::operator[](Index vertex) const {
  const std::size_t at = 3 * static_cast<std::size_t>(vertex);
  if (!exact.empty()) {
    verify(check, exact.subspan(at, 3));
    return {exact[at], exact[at + 1], exact[at + 2]};
  }
  verify(check, single.subspan(at, 3));
  return {single[at], single[at + 1], single[at + 2]};
}

CellFrame cell_frame(const CellPositions& positions, Index centre, std::span<const Index> support) {
  CellFrame frame{positions[centre], 0};
  for (const Index vertex : support)
    frame.unit = std::max(frame.unit, (positions[vertex] - frame.centre).norm());
  if (!(frame.unit > 0)) frame.unit = 1;
  return frame;
}

Monomials monomials(const CellFrame& frame, const Eigen::Vector3d& position) {
  const Eigen::Vector3d at = (position - frame.centre) / frame.unit;
  Monomials result;
  result[0] = 1;
  Eigen::Index count = 1;
  // Those of a degree are those of the degree before times x, times y where x is not in them, times z where
  // neither is.
  std::array<Eigen::Index, 3> begin = {0, 0, 0};
  for (int degree = 1; degree <= 3; ++degree) {
    const Eigen::Index last = count;
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::Index from = begin[static_cast<std::size_t>(axis)];
      begin[static_cast<std::size_t>(axis)] = count;
      for (Eigen::Index k = from; k < last; ++k) result[count++] = result[k] * at[axis];
    }
  }
  return result;
}

std::int16_t polynomial_code(std::span<const double> coefficients, const Monomials& values) {
  double sum = 0;
  for (std::size_t k = 0; k < coefficients.size(); ++k)
    sum += coefficients[k] * values[static_cast<Eigen::Index>(k)];
  return static_cast<std::int16_t>(std::clamp(std::nearbyint(sum), -32000.0, 32000.0));
}

}  // namespace geodome::internal
