// The main job, what it will take, and how far off its result is.

#include "geodome/pipeline/build.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "geodome/base/error.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/landmark/block_log.h"
#include "geodome/pipeline/measured_error.h"
#include "geodome/pipeline/plan.h"
#include "matrix.h"
#include "options.h"
#include "run.h"

namespace geodome::python {
namespace {

nb::dict summary_of(const Build& built) {
  const BuildSummary& summary = built.summary;
  nb::dict facts, seconds;
  facts["geodesic"] = summary.geodesic;
  facts["components"] = summary.components;
  facts["cover_radius"] = summary.cover_radius;
  facts["disagreement"] = summary.mean_disagreement;
  nb::list replaced;
  for (const ReplacedLandmark& one : summary.replaced) replaced.append(nb::make_tuple(one.before, one.after));
  facts["replaced_landmarks"] = replaced;
  facts["recalled_landmarks"] = summary.recalled;
  facts["incomplete_rows"] = summary.interpolation.incomplete_rows;
  facts["bounded_rows"] = summary.bounds.replaced;
  facts["check"] = check_facts(summary.check);
  facts["warnings"] = warnings_of(summary.warnings);
  seconds["total"] = summary.seconds;
  for (const BuildStage& stage : summary.stages) seconds[stage.name.c_str()] = stage.seconds;
  facts["seconds"] = seconds;
  facts["peak_bytes"] = summary.peak_bytes;
  return facts;
}

/// The log has served when all is done. It stays where the work was broken off: the cause may be gone next
/// time.
Build build_and_evaluate(const Shape& shape, const BuildOptions& options, Index evaluate,
                         const Execution& execution) {
  if (!options.log.empty() && !options.measures())
    throw InputError("resume= is for distances measured on the shape, not for given ones");
  Build made = build(shape, options, execution);
  if (evaluate > 0) measure_and_note_error(made, shape, options, evaluate, execution);
  if (!options.log.empty()) remove_block_log(options.log);
  return made;
}

nb::tuple build_matrix(const SharedShape& shape, const nb::dict& given, Index evaluate, bool check_memory,
                       const Run& run) {
  const BuildOptions options = build_options(given);
  if (check_memory) {
    try {
      require_memory(plan_build(*shape.shape, options, {run.threads, {}}));
    } catch (const InputError& error) {
      const std::string message = error.what();
      throw InputError(message.substr(0, message.find(", or say --yes")) + ", or say check_memory=False");
    }
  }
  Build built = run_watched(
      run,
      [shape, options, evaluate](const Execution& execution) {
        return build_and_evaluate(*shape.shape, options, evaluate, execution);
      },
      options.solver ? AfterCancel::wait : AfterCancel::leave);
  const auto* graph = std::get_if<Graph>(shape.shape.get());
  nb::object matrix =
      nb::cast(std::make_unique<Matrix>(built.matrix, built.recipe, shape.shape, options.measures(),
                                        graph != nullptr ? graph->labels : std::vector<std::int64_t>()));
  return nb::make_tuple(std::move(matrix), summary_of(built));
}

nb::dict plan(const SharedShape& shape, const nb::dict& given, int threads) {
  const BuildPlan plan = plan_build(*shape.shape, build_options(given), {threads, {}});
  nb::dict facts, seconds;
  facts["vertices"] = plan.vertices;
  facts["landmarks"] = plan.landmarks;
  facts["nonzeros"] = plan.nonzeros;
  facts["geodesic"] = plan.geodesic;
  facts["nbytes"] = plan.bytes;
  facts["file_bytes"] = plan.file_bytes;
  facts["full_nbytes"] = plan.full_matrix_bytes;
  facts["peak_bytes"] = plan.peak_bytes;
  facts["memory_available"] = plan.memory_available;
  seconds["total"] = plan.seconds();
  for (const auto& [stage, time] : plan.stages) seconds[stage.c_str()] = time;
  facts["seconds"] = seconds;
  return facts;
}

/// Against distances measured afresh on a shape.
nb::dict measured_error(const Matrix& matrix, const SharedShape& shape, const nb::dict& given, Index rows,
                        std::uint64_t seed, bool raw, const Run& run) {
  GeodesicOptions options = geodesic_options(given);
  options.expected_sources = static_cast<std::size_t>(rows > 0 ? rows : vertex_count(*shape.shape));
  return error_facts(run_watched(run, [=, matrix = held(matrix)](const Execution& execution) {
    const auto solver = make_solver(*shape.shape, options, execution);
    // In the bands of the command line: sums over them come out the same to the last digit.
    const NearField& field = matrix->field(raw);
    return measure_error(field, *solver, {rows, seed, spacing_bands(field.matrix())}, execution);
  }));
}

}  // namespace

nb::dict error_facts(const ErrorReport& report) {
  nb::dict facts;
  facts["rows"] = report.rows.size();
  facts["relative_error"] = report.relative_error;
  facts["interval"] = nb::make_tuple(report.interval.low, report.interval.high);
  facts["mean_relative_error"] = report.mean_relative_error;
  facts["median_relative_error"] = report.median_relative_error;
  facts["p99_relative_error"] = report.p99_relative_error;
  facts["max_relative_error"] = report.max_relative_error;
  return facts;
}

nb::dict check_facts(const SpotCheck& check) {
  nb::dict facts;
  facts["rows"] = check.rows;
  facts["mean_relative_error"] = check.mean_relative_error;
  facts["largest_ratio"] = check.largest_ratio;
  return facts;
}

nb::list warnings_of(const std::vector<std::string>& warnings) {
  nb::list list;
  for (const std::string& warning : warnings) list.append(warning);
  return list;
}

void add_build(nb::module_& module) {
  module.def("build", build_matrix, nb::arg("shape"), nb::arg("options"), nb::arg("evaluate"),
             nb::arg("check_memory"), nb::arg("run"));
  module.def("plan", plan, nb::arg("shape"), nb::arg("options"), nb::arg("threads"));
  module.def("measured_error", measured_error, nb::arg("matrix"), nb::arg("shape"), nb::arg("options"),
             nb::arg("rows"), nb::arg("seed"), nb::arg("raw"), nb::arg("run"));
}

}  // namespace geodome::python
