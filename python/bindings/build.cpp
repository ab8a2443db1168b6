// The main job, what it will take, and how accurate its result is.

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <optional>

#include "geodome/geodome.h"
#include "geodome/landmark/block_log.h"
#include "geodome/pipeline/recipe.h"
#include "geodome/pipeline/recipe_match.h"
#include "module.h"
#include "options.h"
#include "run.h"

namespace geodome::python {

using namespace internal;

namespace {

nb::dict error_facts(const ErrorReport& report) {
  nb::dict facts;
  facts["rows"] = report.rows.size();
  facts["relative_error"] = report.relative_error;
  facts["rms_error"] = std::sqrt(report.relative_error);
  facts["interval"] = nb::make_tuple(report.interval.low, report.interval.high);
  facts["mean_relative_error"] = report.mean_relative_error;
  facts["mean_interval"] = nb::make_tuple(report.mean_interval.low, report.mean_interval.high);
  facts["median_relative_error"] = report.median_relative_error;
  facts["p99_relative_error"] = report.p99_relative_error;
  facts["max_relative_error"] = report.max_relative_error;
  return facts;
}

nb::dict mesh_facts(const CoarseMesh& mesh) {
  nb::dict facts;
  facts["share"] = mesh.share;
  facts["vertices"] = mesh.vertices;
  facts["mean_relative_error"] = mesh.mean_relative_error;
  return facts;
}

void add_landmark_facts(nb::dict& facts, const BuildSummary& summary) {
  facts["geodesic"] = summary.geodesic;
  nb::dict errors;
  for (const MeasuredSolver& one : summary.tried_solvers)
    errors[one.method.c_str()] = one.mean_relative_error;
  facts["solver_errors"] = errors;
  facts["coarse_mesh"] =
      summary.coarse_mesh.share > 1 ? nb::object(mesh_facts(summary.coarse_mesh)) : nb::none();
  nb::list meshes;
  for (const CoarseMesh& mesh : summary.tried_meshes) meshes.append(mesh_facts(mesh));
  facts["tried_meshes"] = meshes;
  facts["components"] = summary.components;
  facts["cover_radius"] = summary.cover_radius;
  facts["disagreement"] = summary.mean_disagreement;
  nb::list replaced;
  for (const ReplacedLandmark& one : summary.replaced) replaced.append(nb::make_tuple(one.before, one.after));
  facts["replaced_landmarks"] = replaced;
  facts["recalled_landmarks"] = summary.recalled;
  facts["incomplete_rows"] = summary.interpolation.incomplete_rows;
  facts["bounded_rows"] = summary.bounds.replaced;
  facts["peak_bytes"] = summary.peak_bytes;
}

void add_baseline_facts(nb::dict& facts, const Distances& built) {
  const BuildSummary& summary = built.summary();
  facts["landmarks"] = summary.landmarks;
  facts["nbytes"] = summary.bytes;
  facts["reference_nbytes"] = summary.reference_bytes;
  facts["workspace_nbytes"] = summary.workspace_bytes;
  facts["note"] = summary.note;
}

/// Empty for a file.
nb::dict summary_of(const Distances& built) {
  nb::dict facts, check, seconds;
  if (built.file() != nullptr) return facts;
  const BuildSummary& summary = built.summary();
  if (built.factors() != nullptr)
    add_landmark_facts(facts, summary);
  else
    add_baseline_facts(facts, built);
  check["rows"] = summary.check.rows;
  check["mean_relative_error"] = summary.check.mean_relative_error;
  check["largest_ratio"] = summary.check.largest_ratio;
  facts["check"] = check;
  nb::list warnings;
  for (const std::string& warning : summary.warnings) warnings.append(warning);
  facts["warnings"] = warnings;
  seconds["total"] = summary.seconds;
  for (const BuildStage& stage : summary.stages) seconds[stage.name.c_str()] = stage.seconds;
  facts["seconds"] = seconds;
  return facts;
}

/// The log is removed when all is done. After an error it stays: the cause may be gone next time.
Distances build_with_log(const SharedShape& shape, const BuildOptions& options, const ErrorTarget& target,
                         const Execution& execution) {
  if (target.asked()) {
    TargetBuild found = build_to_target(shape.shape, shape.notes, options, target, execution);
    if (found.report.met) return std::move(found.distances);
    const TargetStep& step = found.report.steps[static_cast<std::size_t>(found.report.reached)];
    throw NumericalError(text("the wanted error was not reached: ", found.report.reason,
                              "; reached with 95 % confidence: relative error ", step.relative_error,
                              " and mean error ", 100 * step.mean_relative_error, " % with ", step.landmarks,
                              " landmarks; needed: about ", found.report.needed, " landmarks"));
  }
  Distances built = build(shape.shape, shape.notes, options, execution);
  if (!options.log.empty()) remove_block_log(options.log);
  return built;
}

/// What the library refuses too, in terms of Python's arguments.
void require_supported(const BuildOptions& options) {
  if (!options.log.empty() && !options.measures())
    throw InputError("resume= requires distances measured on the shape, not distances given by distances=");
  if (traits(options.method).factors) return;
  const std::string_view method = name_of(methods(), options.method);
  if (!options.log.empty())
    throw InputError(text("resume= is not supported by the method ", method, ", only by sbha, bha and cell"));
}

Distances build_matrix(const SharedShape& shape, const nb::dict& given, double error, double mean_error,
                       bool check_memory, const Run& run) {
  const ErrorTarget target{error, mean_error};
  BuildRequest request = build_request(given);
  BuildOptions& options = request.options;
  require_supported(options);
  const bool planned = traits(options.method).factors;
  if (planned || !check_memory) options.memory_bound = std::numeric_limits<std::int64_t>::max();
  try {
    if (planned && check_memory) require_memory(plan_build(*shape.shape, options, {run.threads, {}}));
    return run_watched(
        run,
        [shape, request, target](const Execution& execution) {
          return build_with_log(shape, request.options, target, execution);
        },
        options.solver ? AfterCancel::wait : AfterCancel::leave);
  } catch (const MemoryError& error) {
    throw InputError(text(error.what(), ", or pass check_memory=False"));
  }
}

nb::dict plan(const SharedShape& shape, const nb::dict& given, int threads) {
  const BuildPlan plan = plan_build(*shape.shape, build_request(given).options, {threads, {}});
  nb::dict facts, seconds;
  facts["vertices"] = plan.vertices;
  facts["landmarks"] = plan.landmarks;
  facts["nonzeros"] = plan.nonzeros;
  facts["geodesic"] = plan.geodesic;
  facts["coarsen"] = plan.coarsen;
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

/// Throws InputError for options that suit no shape, or whose result no file can hold.
void require_storable(const nb::dict& given) {
  const Method method = build_request(given).options.method;
  if (traits(method).file) return;
  std::string storable;
  for (const Named<Method>& one : methods())
    if (traits(one.choice).file) storable += text(storable.empty() ? "" : ", ", one.name);
  throw InputError(text("the method '", name_of(methods(), method),
                        "' cannot be stored in a file: use one of ", storable));
}

std::string difference(const Distances& self, const SharedShape& shape, const nb::dict& given, double error,
                       double mean_error) {
  const BuildOptions options = build_request(given).options;
  const nb::gil_scoped_release released;
  return recipe_difference(self.matrix(), self.recipe(), *shape.shape, options, {error, mean_error});
}

EvaluationOptions evaluation_options(Index rows, const std::optional<std::string>& geodesic,
                                     const std::string& distances, std::uint64_t seed) {
  EvaluationOptions options;
  options.rows = rows;
  options.seed = seed;
  if (geodesic) options.geodesic = geodesic_method(*geodesic);
  options.distances = distances;
  return options;
}

/// Without factors, squared distances are compared with squares.
nb::dict evaluate(const Distances& self, const std::optional<SharedShape>& shape, Index rows,
                  const std::optional<std::string>& geodesic, const std::string& distances,
                  std::uint64_t seed, const Run& run) {
  EvaluationOptions options = evaluation_options(rows, geodesic, distances, seed);
  options.raw = self.factors() == nullptr;
  return error_facts(run_watched(run, [self, shape, options](const Execution& execution) {
                       EvaluationOptions own = options;
                       if (shape) own.shape = shape->shape.get();
                       return self.evaluate(own, execution);
                     }).error);
}

Distances certify(const Distances& self, const std::optional<SharedShape>& shape, Index rows,
                  const std::string& distances, std::uint64_t seed, const Run& run) {
  const EvaluationOptions options = evaluation_options(rows, {}, distances, seed);
  return run_watched(run, [self, shape, options](const Execution& execution) {
    EvaluationOptions own = options;
    if (shape) own.shape = shape->shape.get();
    return self.with_certificate(own, execution);
  });
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Named<Method>& one : methods()) names.emplace_back(one.name);
  return names;
}

}  // namespace

void add_build(nb::module_& module) {
  module.def("build", build_matrix, nb::arg("shape"), nb::arg("options"), nb::arg("error"),
             nb::arg("mean_error"), nb::arg("check_memory"), nb::arg("run"));
  module.def("summary", summary_of, nb::arg("matrix"));
  module.def("plan", plan, nb::arg("shape"), nb::arg("options"), nb::arg("threads"));
  module.def(
      "require_options", [](const nb::dict& given) { build_request(given); }, nb::arg("options"));
  module.def("require_storable", require_storable, nb::arg("options"));
  module.def("recipe_difference", difference, nb::arg("matrix"), nb::arg("shape"), nb::arg("options"),
             nb::arg("error"), nb::arg("mean_error"));
  module.def(
      "requested_recipe",
      [](const SharedShape& shape, const nb::dict& given) {
        return requested_recipe(*shape.shape, build_request(given).options);
      },
      nb::arg("shape"), nb::arg("options"));
  module.def("evaluate", evaluate, nb::arg("matrix"), nb::arg("shape").none(), nb::arg("rows"),
             nb::arg("geodesic").none(), nb::arg("distances"), nb::arg("seed"), nb::arg("run"));
  module.def("certify", certify, nb::arg("matrix"), nb::arg("shape").none(), nb::arg("rows"),
             nb::arg("distances"), nb::arg("seed"), nb::arg("run"));
  module.def(
      "certificate", [](const Distances& self) { return self.certificate(); }, nb::arg("matrix"));
  module.def("method_names", method_names);
}

}  // namespace geodome::python
