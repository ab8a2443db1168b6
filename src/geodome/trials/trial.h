#pragma once
/// One method tried once on one shape: the parameters, the result, and tables of many of them.

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/types.h"

namespace geodome::internal {

/// A figure that was not measured.
inline constexpr double unmeasured = std::numeric_limits<double>::quiet_NaN();

struct Trial {
  std::string shape;
  Index vertices = 0;
  std::string method;
  Index landmarks = 0;  ///< 0 for a method without
  Index nonzeros = 0;   ///< weights per row; 0 for a method without
  Index repeat = 0;

  /// Why it could not be done, in a sentence; empty where it was.
  std::string reason;

  double relative_error = unmeasured;  ///< ε = ‖K̃ - K‖² / ‖K‖² (distance_error.h)
  double mean_relative_error = unmeasured;
  double p99_relative_error = unmeasured;
  double stress = unmeasured;             ///< of the method's own embedding (embedding/stress.h)
  double normalised_stress = unmeasured;  ///< divided by that of a single point
  double large_weights = unmeasured;  ///< entries of P above `large_weight` per row, without landmarks' rows

  std::int64_t bytes = 0;            ///< ours, counted
  std::int64_t reference_bytes = 0;  ///< in the accounting of the paper's code
  std::int64_t workspace_bytes = 0;  ///< what its scaling needs besides
  std::int64_t peak_bytes = 0;       ///< more memory in use than before, at most

  double seconds = 0;  ///< in all, without what is measured afterwards
  /// Of processor time, which other work on the machine does not change; without setting up the solver. Only
  /// where the method was alone.
  double cpu_seconds = unmeasured;
  std::vector<std::pair<std::string, double>> stages;  ///< seconds of each

  /// By which a finished trial is known again: it says everything that decides the outcome.
  std::string key;

  bool done() const { return reason.empty(); }
};

/// An entry of P that is larger counts as large: some thousandth of what matters.
inline constexpr double large_weight = 1e-3;

/// A table with a line per trial under a line of names. What was not measured is left empty.
std::string trials_to_csv(const std::vector<Trial>& trials);

/// Reads what trials_to_csv wrote. `name` is what messages call it. Throws FileError naming the line.
std::vector<Trial> trials_from_csv(const std::string& csv, const std::string& name);

/// What came of all repeats of one trial: the median, the smallest and the largest.
struct Spread {
  double median = unmeasured;
  double low = unmeasured;
  double high = unmeasured;

  bool measured() const { return median == median; }
};

/// Of those that were measured. The median of an even number is the mean of the middle two.
Spread spread_of(std::vector<double> values);

/// All repeats of one trial.
struct TrialGroup {
  std::string shape;
  Index vertices = 0;
  std::string method;
  Index landmarks = 0;
  Index nonzeros = 0;
  std::vector<Trial> repeats;  ///< those that were done, at least one

  Spread spread(double Trial::*figure) const;
  Spread spread(std::int64_t Trial::*figure) const;
};

/// Trials that differ in nothing but the repeat, in the order in which they first appear.
std::vector<TrialGroup> group_trials(const std::vector<Trial>& trials);

}  // namespace geodome::internal
