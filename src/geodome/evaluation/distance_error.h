#pragma once
/// How far the distances of a matrix are from those that a geodesic solver measures afresh.
///
///   const ErrorReport report = measure_error(matrix, *solver, {.rows = 200, .bands =
///   spacing_bands(matrix)}); std::cout << report.relative_error << " in " << report.interval.low << " ... "
///   << report.interval.high;

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/base/interval.h"
#include "geodome/evaluation/bands.h"
#include "geodome/geodesic/solver.h"
#include "geodome/matrix/distance_matrix.h"

namespace geodome {

struct ErrorOptions {
  /// Rows of K to measure, chosen at random, each as likely as any other; 0 or more than there are: all.
  Index rows = 0;
  std::uint64_t seed = 0;
  /// By which errors are told apart; of the distance, also where the entries are squared.
  DistanceBands bands = {};
  /// Vertices whose rows are not drawn, such as landmarks, in any order; where nothing else is left, all rows
  /// are drawn from.
  std::vector<Index> leave_out = {};
};

/// Errors of some pairs. |K̃ - K| / K is the relative error of a pair.
struct PairErrors {
  std::int64_t pairs = 0;     ///< ordered, with a finite distance that is not zero
  double relative_error = 0;  ///< ε = ‖K̃ - K‖² / ‖K‖² over these pairs
  double mean_relative_error = 0;
  double median_relative_error = 0;  ///< this and the next to 0.4 % of themselves
  double p99_relative_error = 0;
  double max_relative_error = 0;
};

/// What a quick look at some rows tells: whether distances are far off.
struct SpotCheck {
  Index rows = 0;
  double mean_relative_error = 0;  ///< over all finite pairs of the rows, a vertex and itself left out
  double largest_ratio = 1;   ///< of two distances of a pair, the larger over the smaller; may be infinite
  double ratio_distance = 0;  ///< the distance of the farthest pair with a ratio above 3
  double ratio_share = 0;     ///< the part of all pairs with a ratio above 3
};

/// `relative_error` is that of the Frobenius norms, and so counts the diagonal too (and other pairs at
/// distance zero); the errors of pairs leave it out. Pairs at an infinite distance are left out of
/// everything.
struct ErrorReport : PairErrors {
  Interval interval;       ///< 95 % confidence that ε of all rows lies in it
  Interval mean_interval;  ///< the same for the mean relative error
  std::int64_t infinite_pairs = 0;
  std::vector<Index> rows;  ///< those measured, increasing
  std::vector<PairErrors> by_band;
  SpotCheck check;
};

/// An error with all that is needed to measure it again.
struct Evaluation {
  ErrorReport error;
  DistanceBands bands;   ///< of error.by_band
  std::string geodesic;  ///< how the rows were measured; "given" for user-supplied distances
  std::uint64_t seed = 0;
  bool fresh = false;  ///< whether rows of landmarks were left out
};

/// Of the entries as they are: a matrix of squared distances is compared with squared distances, and a
/// NearField, what queries give, with distances.
/// Cost: the solver's rows; about #V by 64 numbers in memory, or 256 MB if that is less. Throws InputError
/// when sizes differ, when only one of matrix and solver says that two vertices are in different components,
/// or on bad options, NumericalError on NaN.
ErrorReport measure_error(const DistanceMatrix& matrix, const GeodesicSolver& solver,
                          const ErrorOptions& options = {}, const Execution& execution = {});

namespace internal {

/// Two distances of a pair that differ by a larger factor are wrong, not inaccurate (SpotCheck).
constexpr double worst_ratio = 3;

/// `count` of `population` numbers from 0 on, increasing, each set equally likely; all where `count` is zero
/// or more than there are.
std::vector<Index> sample_rows(Index population, Index count, std::uint64_t seed);

}  // namespace internal

}  // namespace geodome
