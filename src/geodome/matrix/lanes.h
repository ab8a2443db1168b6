#pragma once
/// Inner loops of a fixed length.

#include <type_traits>

#include "geodome/base/types.h"

namespace geodome::internal {

/// Columns worked on together: the smallest of 1, 4, 8, 16 that holds `wanted`, so that the inner loops have
/// a fixed length.
inline Eigen::Index lanes_for(Eigen::Index wanted) {
  for (const Eigen::Index lanes : {1, 4, 8})
    if (wanted <= lanes) return lanes;
  return 16;
}

/// Calls `work` with the number of columns of a panel, which is 1, 4, 8 or 16, as a compile-time constant.
template <typename Work>
void with_lanes(Eigen::Index lanes, Work&& work) {
  if (lanes == 1)
    work(std::integral_constant<int, 1>());
  else if (lanes == 4)
    work(std::integral_constant<int, 4>());
  else if (lanes == 8)
    work(std::integral_constant<int, 8>());
  else
    work(std::integral_constant<int, 16>());
}

}  // namespace geodome::internal
