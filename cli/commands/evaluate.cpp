#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/evaluation/certificate.h"
#include "geodome/geodesic/factory.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/shape/unit.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/input.h"
#include "support/matrix_input.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* evaluate_explanation =
    R"(Computes some rows of distances on the shape and compares them with the rows of
the .geodome file. SHAPE can be omitted if the file contains the shape. A shape
other than the one the file was built from is an error. Vertices excluded by the
mask of the build remain excluded.

Printed:
  relative error  ||K~ - K||^2 / ||K||^2 over the rows, with the 95 % confidence
                  interval for all rows
  of pairs        |K~ - K| / K of each pair of different vertices: mean, median,
                  99th percentile and maximum
  by distance     the same in bands of distance, in units of the landmark
                  spacing (files of the methods sbha, bha and cell)
Pairs in different connected components are not counted; it is an error if file
and shape disagree about them.

A build stores the error of a few rows in the file. --store replaces it by the
error measured here, on more rows, and rewrites the file.

With --method, FILE is a shape: the method is built in memory from distances
computed by the --geodesic method, and compared with distances of that method.

Examples:
  geodome evaluate bunny.geodome bunny.obj
  geodome evaluate bunny.geodome --rows 0 --geodesic marching
  geodome evaluate bunny.geodome bunny.obj --rows 500 --seed 7 --json
  geodome evaluate bunny.geodome --rows 1000 --store
  geodome evaluate mine.geodome bunny.obj --distances my_distances.npy
  geodome evaluate bunny.obj --method ctg --landmarks 400)";

struct EvaluateArguments : CommonOptions {
  std::string file;
  InputOptions input;
  Index rows = 100;
  std::string geodesic;  ///< empty: the exact one
  std::string distances;
  ModeOptions mode;
  bool store = false;
  std::string method;   ///< a method to build in memory; empty: `file` is a file
  Index landmarks = 0;  ///< for it; 0: chosen
};

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %%", 100 * share);
  return text;
}

void print_report(const ErrorReport& report, const DistanceBands& bands, Index vertices,
                  const std::string& method) {
  std::printf("%s of %s rows against '%s'\n", grouped(static_cast<std::int64_t>(report.rows.size())).c_str(),
              grouped(vertices).c_str(), method.c_str());
  std::printf("  relative error  %.3g", report.relative_error);
  if (report.rows.size() < static_cast<std::size_t>(vertices))
    std::printf("  (95 %% between %.3g and %.3g)", report.interval.low, report.interval.high);
  std::printf("\n  of pairs        mean %s, median %s, 99 %% %s, largest %s\n",
              percent(report.mean_relative_error).c_str(), percent(report.median_relative_error).c_str(),
              percent(report.p99_relative_error).c_str(), percent(report.max_relative_error).c_str());
  if (bands.size() == 1) return;
  std::printf("  by distance, in %ss of %.4g\n    %11s %14s %10s %10s %10s %10s\n", bands.unit_name.c_str(),
              bands.unit, "", "pairs", "mean", "median", "99 %", "largest");
  for (std::size_t b = 0; b < bands.size(); ++b) {
    const PairErrors& errors = report.by_band[b];
    if (errors.pairs == 0) continue;
    const std::string from = brief(bands.edges[b]), to = brief(bands.edges[b + 1]);
    const std::string range = std::isinf(bands.edges[b + 1]) ? from + " and more" : from + " to " + to;
    std::printf("    %11s %14s %10s %10s %10s %10s\n", range.c_str(), grouped(errors.pairs).c_str(),
                percent(errors.mean_relative_error).c_str(), percent(errors.median_relative_error).c_str(),
                percent(errors.p99_relative_error).c_str(), percent(errors.max_relative_error).c_str());
  }
}

/// Builds a method on a shape and measures it, without a file.
void run_method(const EvaluateArguments& options) {
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  if (!options.input.path.empty() || !options.distances.empty() || options.mode.raw || options.store)
    throw InputError("--method accepts a shape only: no file, no --distances, no --raw and no --store");
  // Errors are relative, so that the unit does not matter.
  Shape shape = load_clean_shape({options.file, options.input.format}).shape;
  if (const double unit = unit_of(shape); unit != 1) shape = in_units(shape, unit);
  BuildOptions method;
  method.method = choice_of(methods(), options.method, "method");
  method.landmarks.count = options.landmarks;
  method.landmarks.seed = options.seed;
  method.certificate_rows = method.check_rows = 0;
  PrepareOptions prepare;
  prepare.geodesic.method =
      options.geodesic.empty() ? exact_method(shape) : geodesic_method(options.geodesic);
  prepare.seed = options.seed;
  prepare.keep_rows = traits(method.method).columns;
  PreparedShape prepared(shape, prepare, execution);
  const Build built = build_matrix(prepared, method, execution);
  const BuildSummary& summary = built.summary;
  const ErrorOptions measured{options.rows, options.seed, {}};
  const ErrorReport report = measure_error(*built.matrix, prepared.solver(execution), measured, execution);
  double seconds = 0;
  for (const BuildStage& stage : summary.stages) seconds += stage.seconds;
  if (options.json) {
    Json facts{{"shape", options.file}, {"vertices", prepared.size()}, {"rows", report.rows.size()}};
    facts["method"] = options.method;
    facts["landmarks"] = summary.landmarks;
    facts["geodesic"] = prepared.geodesic();
    facts.update(error_json(report, measured.bands));
    facts["bytes"] = summary.bytes;
    facts["reference_bytes"] = summary.reference_bytes;
    facts["note"] = summary.note;
    facts["build_seconds"] = {{"total", seconds}};
    for (const BuildStage& stage : summary.stages) facts["build_seconds"][stage.name] = stage.seconds;
    facts["seconds"] = clock.seconds();
    print_json(facts);
  } else if (!options.quiet) {
    std::printf("%s with %s landmarks: %s, built in %s\n", options.method.c_str(),
                grouped(summary.landmarks).c_str(), byte_count(summary.bytes).c_str(),
                duration(seconds).c_str());
    if (!summary.note.empty()) std::printf("  %s\n", summary.note.c_str());
    print_report(report, measured.bands, prepared.size(), prepared.geodesic());
  }
}

/// Replaces the error in the file.
Evaluation store(const Distances& distances, const EvaluationOptions& how, const std::string& path,
                 const Execution& execution) {
  const Distances certified = distances.with_certificate(how, execution);
  certified.save(path, {.shape = distances.has_shape()}, execution);
  return *certified.measured_error();
}

/// Errors that Distances phrases without the options of this command.
Evaluation evaluate(const MatrixInput& input, const Distances& distances, const EvaluateArguments& options,
                    const Execution& execution) {
  EvaluationOptions how;
  how.rows = options.rows;
  how.seed = options.seed;
  how.raw = options.mode.raw;
  how.distances = options.distances;
  if (!options.geodesic.empty()) how.geodesic = geodesic_method(options.geodesic);
  Shape shape;
  if (options.distances.empty()) {
    if (input.distances.geodesic() == "given")
      throw InputError(text("'", options.file,
                            "' was built from user-supplied distances: pass them with --distances FILE.npy"));
    if (!options.input.path.empty()) {
      shape = load_clean_shape(options.input).shape;
      require_same_shape(input, shape, options.input.path);
      how.shape = &shape;
    } else if (!input.distances.has_shape()) {
      throw InputError(
          text("'", options.file, "' does not contain the shape: pass the shape as second argument"));
    }
  }
  if (!options.store) return distances.evaluate(how, execution);
  require_regular_output(options.file, {options.input.path, options.distances});
  return store(distances, how, options.file, execution);
}

void run(const EvaluateArguments& options) {
  if (!options.method.empty()) return run_method(options);
  if (options.landmarks > 0)
    throw InputError("--landmarks requires --method: the landmarks of a .geodome file are fixed");
  const Stopwatch clock;
  const Execution execution = make_execution(options);
  const MatrixInput input = open_matrix(options.file);
  const DistanceMatrix& matrix = input.distances.matrix();
  const Distances distances = in_mode(input, options.mode, options.quiet);
  const Evaluation found = evaluate(input, distances, options, execution);
  if (options.json) {
    Json facts{{"file", options.file}, {"vertices", matrix.size()}, {"rows", found.error.rows.size()}};
    facts["geodesic"] = found.geodesic;
    facts["form"] = mode_name(distances);
    facts["kind"] = options.mode.raw && matrix.kind() == DistanceKind::squared ? "squared" : "distance";
    facts.update(error_json(found.error, found.bands));
    facts["stored"] = options.store;
    if (input.distances.factors() != nullptr) facts["spacing"] = found.bands.unit;
    facts["seconds"] = clock.seconds();
    print_json(facts);
  } else if (!options.quiet) {
    print_report(found.error, found.bands, matrix.size(), found.geodesic);
    if (options.store) std::printf("stored in %s\n", options.file.c_str());
  }
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto options = std::make_shared<EvaluateArguments>();
  CLI::App* command = app.add_subcommand("evaluate", "Measure the error of a .geodome file");
  command->footer(evaluate_explanation);
  command->add_option("FILE", options->file, "The .geodome file; with --method, a shape")->required();
  command->add_option("SHAPE", options->input.path,
                      "The shape the file was built from, if the file does not contain it");
  command->add_option("--format", options->input.format, "Format of the shape; see 'geodome build --help'");
  command->add_option("--rows", options->rows, "Number of random rows to compare; 0: all rows")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_option(
      "--geodesic", options->geodesic,
      "Geodesic method of the distances to compare with; see 'geodome distances --help'; default: exact");
  command->add_option("--distances", options->distances,
                      "NPY file with vertices x vertices precomputed distances to compare with instead");
  add_mode_options(
      *command, options->mode,
      "Evaluate the product P W Pᵀ without near-field correction; squared distances are compared as such");
  command->add_flag("--store", options->store,
                    "Replace the error stored in FILE by this one; rows of landmarks are then left out");
  std::string names;
  for (const Named<Method>& one : methods()) names += text(names.empty() ? "" : ", ", one.name);
  command->add_option("--method", options->method,
                      "Build this method on a shape instead of reading a file: " + names);
  command
      ->add_option("-l,--landmarks", options->landmarks,
                   "With --method: number of landmarks; default as in 'geodome build'")
      ->check(whole_number(1));
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
