#pragma once
/// How well points in few dimensions keep the distances of a shape: the stress of classical scaling,
/// ‖Z Zᵀ + ½ J E J‖_F [Turek and Huth 2018], E the squared distances.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "geodome/base/execution.h"
#include "geodome/base/interval.h"
#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome::internal {

/// Rows of E for these vertices: #vertices by #V; infinite between components.
using SquaredRows = std::function<RowMatrix<double>(std::span<const Index> vertices)>;

/// Squared geodesic distances, computed afresh.
SquaredRows squared_rows(const GeodesicSolver& solver, const Execution& execution = {});
/// Of a matrix of kind squared: with these the stress is that of the model, not of the shape.
SquaredRows squared_rows(const DistanceMatrix& squared, const Execution& execution = {});

struct StressOptions {
  /// A component of at most this many vertices is measured with all its rows, which is exact.
  Index exact_up_to = 2000;
  /// Rows of a larger one, at random: hundreds settle the stress to a few per cent.
  Index rows = 200;
  std::uint64_t seed = 0;
  /// Rows held at once take 8 bytes per entry; fewer are used where they would take more than this.
  std::int64_t memory_bound = std::int64_t{1} << 30;
};

/// Intervals hold the value with at least 95 % confidence; both ends equal it where it is exact.
struct Stress {
  double value = 0;       ///< √ of the sum of squares over components
  double normalised = 0;  ///< divided by ‖½ J E J‖_F: 0 is perfect, 1 is as bad as a single point
  Interval interval;
  Interval normalised_interval;
  Index rows = 0;  ///< of E that were used
  bool exact = true;
};

/// The stress of Z (#V by m) where `component` (#V, -1 for none) says which vertices belong together. From
/// some rows of E the column means that J needs are estimated with the same rows, and the interval comes from
/// how much the rows differ. Cost: the rows, and O(rows · n · m). Throws InputError when sizes do not fit, or
/// fewer than 2 rows are requested; NumericalError when distances within a component are not finite.
Stress stress(const Eigen::Ref<const RowMatrix<double>>& Z, std::span<const Index> component,
              const SquaredRows& rows, const StressOptions& options = {});

}  // namespace geodome::internal
