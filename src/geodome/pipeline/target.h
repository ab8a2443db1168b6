#pragma once
/// The smallest number of landmarks that reaches a wanted error.

#include <string>
#include <vector>

#include "geodome/base/types.h"

namespace geodome {

/// Wanted errors; 0: not asked for. Where both are, both must be met.
struct ErrorTarget {
  double relative_error = 0;  ///< ε
  double mean_relative_error = 0;

  bool asked() const { return relative_error != 0 || mean_relative_error != 0; }
};

/// One build on the way to a target.
struct TargetStep {
  Index landmarks = 0;
  std::string geodesic;
  /// Upper ends of the confidence intervals of what was asked for.
  double relative_error = 0;
  double mean_relative_error = 0;
};

struct TargetReport {
  bool met = false;
  std::vector<TargetStep> steps;  ///< in the order of the builds
  Index reached = 0;              ///< the step whose result is returned
  Index needed = 0;               ///< estimated number of landmarks, where the target was not met
  std::string reason;             ///< why it was not met
};

}  // namespace geodome
