#pragma once
/// Classical scaling by a method of the matrix's own, for instance a QR decomposition of its factors.

#include <cstdint>
#include <functional>
#include <vector>

#include "geodome/base/types.h"

namespace geodome {

/// The largest eigenvalues of B = -½ J E J on some vertices.
struct PartScaling {
  Vector values;            ///< decreasing
  Eigen::MatrixXd vectors;  ///< #vertices by #values
};

struct OwnScaling {
  std::int64_t workspace_bytes = 0;  ///< needed while it runs
  /// `count` eigenpairs on these vertices, with residuals below `tolerance`; `seed` of the starting vectors.
  std::function<PartScaling(const std::vector<Index>& vertices, Index count, double tolerance,
                            std::uint64_t seed)>
      scale;
};

}  // namespace geodome
