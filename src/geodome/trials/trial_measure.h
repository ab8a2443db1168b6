#pragma once
/// Measures single trials on one shape: builds the method, holds it against the truth, scales it.

#include <memory>

#include "geodome/pipeline/options.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/pipeline/remembered_rows.h"
#include "geodome/trials/trial.h"
#include "geodome/trials/trial_run.h"

namespace geodome::internal {

/// What all trials on one shape share. `shape` and `plan` must outlive it.
class TrialBench {
 public:
  /// Measures the truth: the rows on which errors are taken. Throws InputError where they take more memory
  /// than the plan allows.
  TrialBench(const Shape& shape, const TrialPlan& plan, GeodesicMethod geodesic, const Execution& execution);

  double truth_seconds() const { return truth_seconds_; }

  /// Fills in all figures of a trial whose shape, landmarks, nonzeros and repeat are set. Throws as
  /// build and embed do.
  void measure(Method method, Trial& trial, const Execution& execution);

 private:
  BuildOptions options_for(Method method, const Trial& trial) const;
  void measure_error_of(const DistanceMatrix& matrix, Trial& trial, const Execution& execution) const;
  void measure_stress(const DistanceMatrix& squared, Trial& trial, const Execution& execution);

  const TrialPlan& plan_;
  PreparedShape prepared_;
  RememberedRows truth_;
  double truth_seconds_ = 0;
  Index repeat_ = 0;  ///< for which landmarks are kept
};

}  // namespace geodome::internal
