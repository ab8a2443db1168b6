#pragma once
/// Entries of a matrix that are computed one by one.

#include <algorithm>
#include <span>

#include "geodome/base/threads.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// entry(I[k], J[k]) for every k; I and J are as long. `entry` is called from several threads at once.
template <typename Entry>
Vector each_pair(std::span<const Index> I, std::span<const Index> J, const Execution& execution,
                 const Entry& entry) {
  Vector result(static_cast<Eigen::Index>(I.size()));
  constexpr std::size_t chunk = 1024;
  parallel_for((I.size() + chunk - 1) / chunk, execution, {}, [&](std::size_t item, int) {
    for (std::size_t k = item * chunk; k < std::min(I.size(), (item + 1) * chunk); ++k)
      result[static_cast<Eigen::Index>(k)] = entry(I[k], J[k]);
  });
  return result;
}

}  // namespace geodome::internal
