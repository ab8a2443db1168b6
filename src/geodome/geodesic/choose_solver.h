#pragma once
/// The fastest solver whose error, measured on a few exact rows, is small.

#include <memory>
#include <vector>

#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/marching/bias.h"

namespace geodome::internal {

/// The largest mean relative error of a solver that is chosen. The errors of interpolation are of this size.
constexpr double largest_solver_error = 0.003;

struct ChosenSolver {
  std::shared_ptr<const GeodesicSolver> solver;
  GeodesicMethod method = GeodesicMethod::automatic;
  std::vector<MeasuredSolver> tried;  ///< in this order; empty where `method` needs no measurement
  double exact_windows = 0;           ///< per row and vertex, where exact rows were measured
};

/// For `automatic`, where that stands for fast marching: fast marching, else the carried source, else exact,
/// by the error on the rows that remove the bias (rows_for_bias). Otherwise the method of the options. Cost:
/// that of making fast marching, which measures those rows anyway; once more where it is not accurate enough.
/// Or with those rows at hand, which serve any method.
ChosenSolver choose_solver(const PathDomain& domain, const GeodesicOptions& options,
                           const Execution& execution = {}, const ExactRows* exact = nullptr);

}  // namespace geodome::internal
