#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>

#include "geodome/base/error.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodesic/precomputed.h"
#include "geodome/pipeline/methods.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/input.h"
#include "support/matrix_input.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* explanation =
    "Measures some rows of distances afresh and compares them with the file's. The shape may be left out if "
    "the\n"
    "file holds it; one that the file was not made from is refused. What a mask left out stays out.\n"
    "\n"
    "  relative error  ||K~ - K||^2 / ||K||^2 over the rows, with the interval that holds that of all rows\n"
    "                  with 95 % confidence\n"
    "  of pairs        |K~ - K| / K of each pair of different vertices: mean, median, 99 %, largest\n"
    "  by distance     the same in bands, in units of the distance between neighbouring landmarks (files by "
    "sbha\n"
    "                  and bha)\n"
    "Pairs in different components are left out, but file and shape must agree about them.\n"
    "\n"
    "With --method a shape takes the place of the file: the method is built in memory, from distances "
    "measured\n"
    "as --geodesic says, and compared with all of these.\n"
    "\n"
    "Examples:\n"
    "  geodome evaluate bunny.geodome bunny.obj\n"
    "  geodome evaluate bunny.geodome --rows 0 --geodesic marching\n"
    "  geodome evaluate bunny.geodome bunny.obj --rows 500 --seed 7 --json\n"
    "  geodome evaluate mine.geodome bunny.obj --distances my_distances.npy\n"
    "  geodome evaluate bunny.obj --method ctg --landmarks 400";

struct Options : CommonOptions {
  std::string file;
  InputOptions input;
  Index rows = 100;
  std::string method;  ///< empty: the exact one
  std::string distances;
  bool raw = false;
  std::string rival;    ///< a method to build in memory; empty: `file` is a file
  Index landmarks = 0;  ///< for it; 0: chosen
};

struct Truth {
  std::unique_ptr<GeodesicSolver> solver;
  std::string method;
};

Truth make_truth(const MatrixInput& input, const Options& options, const Execution& execution) {
  if (!options.distances.empty()) return {std::make_unique<PrecomputedDistances>(options.distances), "given"};
  if (measured_by(input) == "given")
    throw InputError(
        text("'", options.file, "' was made from given distances: name their file with --distances"));
  Shape shape;
  if (!options.input.path.empty()) {
    shape = load_clean_shape(options.input).shape;
    require_same_shape(input, shape, options.input.path);
  } else if (input.shape) {
    shape = *input.shape;
  } else {
    throw InputError(text("'", options.file, "' holds no shape: name the shape it was made from"));
  }
  GeodesicOptions geodesic = path_options(input);
  geodesic.method = options.method.empty() ? exact_method(shape) : geodesic_method(options.method);
  geodesic.expected_sources = static_cast<std::size_t>(options.rows > 0 ? options.rows : vertex_count(shape));
  PathDomain domain = make_path_domain(shape, geodesic, execution);
  geodesic.method = resolve_method(domain, geodesic);
  return {make_solver(std::move(domain), geodesic, execution),
          std::string(geodesic_method_name(geodesic.method))};
}

Json errors_to_json(const PairErrors& errors) {
  return {{"pairs", errors.pairs},
          {"relative_error", errors.relative_error},
          {"mean_relative_error", errors.mean_relative_error},
          {"median_relative_error", errors.median_relative_error},
          {"p99_relative_error", errors.p99_relative_error},
          {"max_relative_error", errors.max_relative_error}};
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json to_json(const ErrorReport& report, const DistanceBands& bands) {
  Json facts = errors_to_json(report);
  facts["interval"] = {finite(report.interval.low), finite(report.interval.high)};
  facts["infinite_pairs"] = report.infinite_pairs;
  facts["by_distance"] = Json::array();
  for (std::size_t b = 0; b < bands.size(); ++b) {
    Json band{{"from", bands.edges[b] * bands.unit}, {"to", finite(bands.edges[b + 1] * bands.unit)}};
    band["from_spacings"] = bands.edges[b];
    band["to_spacings"] = finite(bands.edges[b + 1]);
    band.update(errors_to_json(report.by_band[b]));
    facts["by_distance"].push_back(band);
  }
  return facts;
}

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
void run_method(const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  const Execution execution = make_execution(options);
  if (!options.input.path.empty() || !options.distances.empty() || options.raw)
    throw InputError("with --method name nothing but the shape: no file, no --distances and no --raw");
  const Shape shape = load_clean_shape({options.file, options.input.format}).shape;
  PrepareOptions prepare;
  prepare.geodesic.method = options.method.empty() ? exact_method(shape) : geodesic_method(options.method);
  prepare.seed = options.seed;
  MethodOptions method;
  method.method = choice_of(methods(), options.rival, "method");
  method.landmarks.count = options.landmarks;
  method.landmarks.seed = options.seed;
  prepare.keep_rows = needs_columns(method.method);
  PreparedShape prepared(shape, prepare, execution);
  const MethodMatrix built = build_method(prepared, method, execution);
  const ErrorOptions measured{options.rows, options.seed, {}};
  const ErrorReport report = measure_error(*built.matrix, prepared.solver(), measured, execution);
  if (options.json) {
    Json facts{{"shape", options.file}, {"vertices", prepared.size()}, {"rows", report.rows.size()}};
    facts["method"] = options.rival;
    facts["landmarks"] = built.landmarks;
    facts["geodesic"] = prepared.geodesic();
    facts.update(to_json(report, measured.bands));
    facts["bytes"] = built.bytes;
    facts["reference_bytes"] = built.reference_bytes;
    facts["note"] = built.note;
    facts["build_seconds"] = {{"total", built.total_seconds()}};
    for (const auto& [stage, seconds] : built.seconds) facts["build_seconds"][stage] = seconds;
    facts["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    print_json(facts);
  } else if (!options.quiet) {
    std::printf("%s with %s landmarks: %s, built in %s\n", options.rival.c_str(),
                grouped(built.landmarks).c_str(), byte_count(built.bytes).c_str(),
                duration(built.total_seconds()).c_str());
    if (!built.note.empty()) std::printf("  %s\n", built.note.c_str());
    print_report(report, measured.bands, prepared.size(), prepared.geodesic());
  }
}

void run(const Options& options) {
  if (!options.rival.empty()) return run_method(options);
  if (options.landmarks > 0) throw InputError("--landmarks goes with --method: a file has its own");
  const auto start = std::chrono::steady_clock::now();
  const Execution execution = make_execution(options);
  const MatrixInput input = open_matrix(options.file);
  const DistanceMatrix& matrix = input.file.matrix();
  const auto form = input.file.landmark_matrix();
  const Truth truth = make_truth(input, options, execution);
  const ErrorOptions measured{options.rows, options.seed, form ? spacing_bands(*form) : DistanceBands()};
  const auto distances = make_distances(input, false);
  const ErrorReport report =
      measure_error(options.raw ? matrix : *distances, *truth.solver, measured, execution);
  if (options.json) {
    Json facts{{"file", options.file}, {"vertices", matrix.size()}, {"rows", report.rows.size()}};
    facts["geodesic"] = truth.method;
    facts["form"] = form_name(input, options.raw);
    facts["kind"] = options.raw && matrix.kind() == DistanceKind::squared ? "squared" : "distance";
    facts.update(to_json(report, measured.bands));
    if (form) facts["spacing"] = measured.bands.unit;
    facts["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    print_json(facts);
  } else if (!options.quiet) {
    print_report(report, measured.bands, matrix.size(), truth.method);
  }
}

}  // namespace

void add_evaluate_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("evaluate", "Compare a .geodome file with distances measured afresh");
  command->footer(explanation);
  command->add_option("FILE", options->file, "The .geodome file, or with --method a shape")->required();
  command->add_option("SHAPE", options->input.path,
                      "The shape it was made from, if the file does not hold it");
  command->add_option("--format", options->input.format, "Read the shape in this format");
  command->add_option("--rows", options->rows, "Rows to measure, chosen at random by the seed; 0: all")
      ->capture_default_str()
      ->check(whole_number(0));
  command->add_option("--geodesic", options->method,
                      "How they are measured; see 'distances --help'. By default exact");
  command->add_option("--distances", options->distances,
                      "An NPY file of vertices x vertices distances to compare with instead");
  command->add_flag("--raw", options->raw,
                    "The linear form as it is: squared distances are compared as such, near ones not mended");
  std::string names;
  for (const Named<Method>& one : methods()) names += text(names.empty() ? "" : ", ", one.name);
  command->add_option("--method", options->rival,
                      "Build this on a shape instead of reading a file: " + names);
  command
      ->add_option("-l,--landmarks", options->landmarks,
                   "With --method: how many; by default as 'build' does")
      ->check(whole_number(1));
  add_common_options(*command, *options);
  command->callback([options] { run(*options); });
}

}  // namespace geodome::cli
