#pragma once
/// One method being built on a prepared shape: stages that are shared are charged, its own are timed.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "geodome/base/platform.h"
#include "geodome/base/stopwatch.h"
#include "geodome/matrix/landmark_error.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/prepared.h"

namespace geodome::internal {

class MethodRun {
 public:
  MethodRun(PreparedShape& shared, const BuildOptions& build_options, BuildSummary& result,
            const Execution& how);

  PreparedShape& prepared;
  const BuildOptions& options;
  BuildSummary& summary;
  const Execution& execution;
  std::string recipe;  ///< known once landmarks are chosen
  SpotRows spots;      ///< rows for the check, where they were measured with the landmarks
  /// Vertices other than landmarks whose rows something was fitted to: an error is not measured on them.
  std::vector<Index> fitted_rows;
  /// Of measured landmarks: what storing their distances has changed. A method that changes them more says
  /// so.
  std::optional<LandmarkError> landmark_error;
  LandmarkRows landmark_rows;  ///< some of their distances, where the solver is not exact

  /// Runs a stage and records its time and peak memory.
  template <typename Work>
  auto run(const char* stage, Work work) {
    begin_stage();
    const Stopwatch clock;
    auto value = work();
    record(stage, clock.seconds(), peak_memory());
    return value;
  }
  /// Starts to measure the peak of memory; what was reached since the last stage still counts for the whole.
  void begin_stage();
  /// Adds to a stage; a stage in several pieces is one.
  void record(const char* stage, double seconds, std::int64_t peak = 0);
  /// Drops a stage, which will be counted anew as a whole.
  void forget(const char* stage);
  /// A stage that did not add to the wall-clock time, as it ran beside another.
  void record_beside(const char* stage, double seconds, std::int64_t peak);

  /// Chooses landmarks; options().landmarks, or others.
  const ChosenLandmarks& choose();
  const ChosenLandmarks& choose(const LandmarkOptions& landmarks);
  /// The recipe with this number of landmarks; `choose` sets it too.
  void set_recipe(Index landmarks);
  /// Measures them. Before that, the memory for `columns_per_landmark` columns each is checked against the
  /// bound.
  const MeasuredLandmarks& landmarks(std::int64_t columns_per_landmark);
  const MeasuredLandmarks& measure(const ChosenLandmarks& chosen);
  /// The same through another solver (MeasureRequest::through); the solver is kept.
  const MeasuredLandmarks& measure(const ChosenLandmarks& chosen,
                                   std::function<const GeodesicSolver&(const GeodesicSolver&)> through);
  /// The same while `beside`, a piece of the stage `interpolation`, runs on a second thread. With a team rank
  /// 0 measures `first_share` of the rows, unless that is negative, and has a second thread in any case.
  const MeasuredLandmarks& measure_beside(const ChosenLandmarks& chosen, const WorkBeside& beside,
                                          double first_share = -1);
  /// C. Its rows were charged with the landmarks.
  RowMatrix<float> columns(const MeasuredLandmarks& found);
  const Laplacian& laplacian();
  /// At most as many as the shape has vertices with mass.
  const Eigenpairs& eigenpairs(Index count);
  /// Dense P, rows bounded.
  const RowMatrix<float>& dense_interpolation(const MeasuredLandmarks& found);

  /// Throws InputError when #V by `columns` numbers in single precision exceed options.memory_bound.
  void require_memory(std::int64_t columns) const;
  void note(const RowBounds& bounds);
  /// Numbers and indices as the reference counts them, and numbers of the workspace.
  void count(std::int64_t numbers, std::int64_t indices, std::int64_t workspace);

  std::int64_t vertices() const { return prepared.size(); }
  std::int64_t landmark_count() const { return summary.landmarks; }
  /// Lanczos iteration keeps twice as many vectors as it looks for, and some more.
  std::int64_t lanczos_numbers() const { return vertices() * (2 * options.baseline.dimensions + 6); }

  /// Whether distances are measured on the shape without error.
  bool exact() const;

  /// Of the certificate; 0: none.
  Index certificate_rows() const;

  /// What to measure, by the options.
  MeasureRequest request() const;

 private:
  Index stated_landmarks_ = 0;  // in the recipe
  bool recipe_waits_ = false;   // whether what measures the landmarks is not chosen yet
  BuildStage& stage_of(const char* name);
  const MeasuredLandmarks& accept(const MeasuredLandmarks& found);
};

}  // namespace geodome::internal
