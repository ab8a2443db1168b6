#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>

#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "geodome/base/threads.h"
#include "geodome/landmark/block_log.h"
#include "geodome/pipeline/target_search.h"
#include "geodome/shape/mask.h"
#include "support/bounds.h"
#include "support/build_plan.h"
#include "support/build_report.h"
#include "support/command.h"
#include "support/distance_output.h"
#include "support/help_format.h"
#include "support/input.h"
#include "support/numbers.h"
#include "support/output_check.h"
#include "support/ranks.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* build_explanation =
    R"(Computes a sparse representation of all vertices x vertices distances of a shape
and writes it to a .geodome file. The commands query, rows, export, evaluate,
embed and view read this file.

The distances between landmarks are computed; all other distances are
interpolated from them. More landmarks give a smaller error and a larger file.

The file also contains the shape (unless --no-shape is set), the recipe (all
options that determine the result) and checksums. The same command writes the
same bytes for any number of threads. A long build saves its progress in
OUTPUT.progress: run the same command again to resume it after an interruption.

The default method, cell, learns the weights of P from distances and codes all
numbers (docs/methods/cells.md). sbha is the method of Turek and Huth: its files
are 17 to 40 times larger at the same error, and a single pair is read without
decoding the others. --nonzeros, --precision, --sparsity, --solver and the
options of the Laplacian (--perplexity, --graph-weights, --intrinsic-delaunay)
apply to sbha and select it unless --method is given.

ctg and spectrometer are baseline methods; all commands except 'view' accept
their files. See docs/methods/ctg.md and docs/methods/spectrometer.md.

The error is measured on some rows of exact distances, of vertices that are not
landmarks, and stored in the file (its certificate); by default these rows take
about a tenth of the time. --evaluate sets their number.

--error and --mean-error search for the smallest number of landmarks that
reaches an error, by several builds, the first one with --landmarks. If it
cannot be reached, nothing is written and the exit code is 1. --dry-run then
builds once with few landmarks to estimate the number; it estimates the last
build alone, and the search takes several times as long.

Printed: file size, number of vertices, components and landmarks, cover radius,
time and memory, and the measured error.

Examples:
  geodome build bunny.obj -o bunny.geodome
  geodome build dragon.ply -o dragon.geodome --landmarks 5000 --dry-run
  geodome build bunny.obj -o bunny.geodome --method cell --error 1e-5
  geodome build lh.pial -o lh.geodome --mask cortex.label --geodesic exact
  geodome build roads.txt -o roads.geodome --landmarks 2000 --precision uint16
  geodome build bunny.obj -o mine.geodome --distances my_distances.npy
  geodome build bunny.obj -o bunny.geodome --method sbha --nonzeros 20
  geodome build bunny.obj -o ctg.geodome --method ctg --landmarks 400)";

struct BuildArguments : CommonOptions {
  InputOptions input;
  std::string output;
  BuildOptions build;
  std::string method = "cell", geodesic = "auto", sparsity, solver = "auto", precision = "float32";
  std::string landmark_method = "farthest", graph_weights = "unit", coarsen = "auto";
  std::string mask, landmark_file;
  ErrorTarget target;
  std::optional<double> landmark_memory;  ///< gigabytes
  bool no_certificate = false, squared = false, no_shape = false, dry_run = false, yes = false, fresh = false;
};

/// The vertices a text file lists, by the shape's own numbers.
std::vector<Index> read_landmarks(const std::string& path, const Numbering& numbering) {
  std::vector<Index> vertices;
  for (const std::int64_t number : read_numbers(path)) vertices.push_back(numbering.vertex(number));
  if (vertices.empty()) throw FileError(text("'", path, "' contains no landmarks"));
  return vertices;
}

/// The methods a file can hold.
std::vector<Named<Method>> file_methods() {
  std::vector<Named<Method>> found;
  for (const Named<Method>& one : methods())
    if (traits(one.choice).file) found.push_back(one);
  return found;
}

Method method_of(const BuildArguments& options) {
  const std::vector<Named<Method>> stored = file_methods();
  const bool known = std::any_of(methods().begin(), methods().end(),
                                 [&](const Named<Method>& one) { return options.method == one.name; });
  const Method method = known ? choice_of(methods(), options.method, "method")
                              : choice_of(std::span<const Named<Method>>(stored), options.method, "method");
  if (traits(method).file) return method;
  std::string storable;
  for (const Named<Method>& one : stored) storable += text(storable.empty() ? "" : ", ", one.name);
  throw InputError(text("the method '", options.method, "' cannot be stored in a file: use one of ", storable,
                        ", or build it in memory with 'geodome evaluate SHAPE --method ", options.method,
                        "' or 'geodome compare SHAPE --methods ", options.method, "'"));
}

constexpr std::array<const char*, 4> factor_options = {"--nonzeros", "--precision", "--sparsity", "--solver"};
constexpr std::array<const char*, 3> laplacian_options = {"--perplexity", "--graph-weights",
                                                          "--intrinsic-delaunay"};

/// Throws InputError where an option was given that the method does not have.
void refuse_foreign_options(const CLI::App& command, Method method) {
  const auto refuse = [&](std::initializer_list<const char*> names, const char* owners) {
    for (const char* name : names)
      if (command.get_option(name)->count() > 0)
        throw InputError(
            text(name, " applies to the method ", owners, ", not to ", name_of(methods(), method)));
  };
  if (command.get_option("--no-certificate")->count() > 0 && command.get_option("--evaluate")->count() > 0)
    throw InputError("--evaluate and --no-certificate exclude each other");
  if (!traits(method).factors) refuse({"--save-every", "--fresh"}, "cell, sbha or bha");
  if (method != Method::sbha && method != Method::bha)
    for (const char* name : factor_options) refuse({name}, "sbha or bha");
  if (!traits(method).factors) refuse({"--error", "--mean-error", "--coarsen"}, "cell, sbha or bha");
  if (method == Method::cell)
    for (const char* name : laplacian_options) refuse({name}, "sbha, bha or spectrometer");
  if (method != Method::sbha && method != Method::bha) refuse({"--landmark-memory"}, "sbha or bha");
  if (method != Method::cell) refuse({"--rounding", "--positional"}, "cell");
  if (method != Method::ctg) refuse({"--repair"}, "ctg");
  if (method != Method::spectrometer) refuse({"--eigenvectors", "--places"}, "spectrometer");
}

/// Throws InputError where an option was given that shapes of this kind do not have.
void refuse_options_of_other_shapes(const CLI::App& command, const Shape& shape, const std::string& path) {
  const auto require = [&](const char* name, bool applies, const char* kinds) {
    if (command.get_option(name)->count() > 0 && !applies)
      throw InputError(text(name, " applies to ", kinds, ", not to '", path, "' (", kind_name(shape), ")"));
  };
  const bool samples = std::holds_alternative<Samples>(shape);
  require("--neighbours", samples || std::holds_alternative<PointCloud>(shape), "samples and point clouds");
  require("--perplexity", samples, "samples");
  require("--graph-weights", std::holds_alternative<Graph>(shape), "graphs");
  require("--intrinsic-delaunay", std::holds_alternative<TriangleMesh>(shape), "triangle meshes");
}

/// Options of sbha select it, where no method is given.
void select_method(const CLI::App& command, BuildArguments& options) {
  if (command.get_option("--method")->count() > 0) return;
  const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
  if (std::any_of(factor_options.begin(), factor_options.end(), given) ||
      std::any_of(laplacian_options.begin(), laplacian_options.end(), given))
    options.method = name_of(methods(), Method::sbha);
}

BuildOptions resolve(const BuildArguments& options, const Shape& shape, const Numbering& numbering) {
  BuildOptions build = options.build;
  build.method = method_of(options);
  build.geodesic.method = geodesic_method(options.geodesic);
  build.coarsen = coarsening(options.coarsen);
  build.interpolation.sparsity = choice_of(sparsities(), options.sparsity, "sparsity");
  build.interpolation.method = choice_of(interpolation_methods(), options.solver, "solver");
  build.precision = choice_of(precisions(), options.precision, "precision");
  build.landmarks.method = choice_of(landmark_methods(), options.landmark_method, "landmark method");
  build.laplacian.graph_weights = choice_of(graph_weights(), options.graph_weights, "graph weights");
  build.kind = options.squared ? DistanceKind::squared : DistanceKind::distance;
  build.seed = options.seed;
  if (build.positional && options.no_shape)
    throw InputError("--positional computes weights from the shape in the file: drop --no-shape");
  if (options.no_certificate) build.certificate_rows = 0;
  if (options.no_certificate && options.target.asked())
    throw InputError("--error and --mean-error need the certificate: omit --no-certificate");
  if (!options.mask.empty()) build.geodesic.keep = read_mask(options.mask, vertex_count(shape));
  if (!options.landmark_file.empty()) {
    build.landmarks.method = LandmarkMethod::user;
    build.landmarks.vertices = read_landmarks(options.landmark_file, numbering);
  } else if (build.landmarks.method == LandmarkMethod::user) {
    throw InputError("--landmark-method given requires --landmark-file");
  }
  if (build.method == Method::sbha || build.method == Method::bha) build.scratch = options.output;
  // The plan checks the memory of these.
  if (traits(build.method).factors) build.memory_bound = std::numeric_limits<std::int64_t>::max();
  return build;
}

/// OUTPUT.progress; where that is a file of something else, which must not be touched, the first of
/// OUTPUT.progress-1, -2, … that is free or holds the progress of an earlier run.
std::string log_name(const BuildArguments& options) {
  const std::string first = options.output + ".progress";
  std::string path = first;
  std::error_code error;
  for (int k = 1;
       std::filesystem::exists(std::filesystem::symlink_status(path, error)) && !is_block_log(path); ++k)
    path = text(first, "-", k);
  return path;
}

/// Builds of less than half a minute are as quickly begun anew.
std::string log_path(const BuildArguments& options, const BuildPlan& plan) {
  const std::string path = log_name(options);
  if (options.fresh) remove_block_log(path);
  if (options.build.log_every > 0 || std::filesystem::exists(path)) return path;
  for (const auto& [stage, seconds] : plan.stages)
    if (stage == "geodesic" && seconds > 30) return path;
  return {};
}

/// Only an interrupted run leaves its log: after an error the same would happen again.
Distances build_with_log(CleanShape shape, const BuildOptions& options, const Execution& execution) {
  try {
    return build(std::move(shape), options, execution);
  } catch (const Cancelled&) {
    if (is_block_log(options.log))
      std::cerr << "note: progress is saved in '" << options.log
                << "': run the same command again to resume\n";
    throw;
  } catch (const InputError&) {
    throw;  // another run may be using it
  } catch (...) {
    if (!options.log.empty()) remove_block_log(options.log);
    throw;
  }
}

void check_memory(const BuildPlan& plan) {
  try {
    require_memory(plan);
  } catch (const MemoryError& error) {
    throw InputError(text(error.what(), ", or pass --yes to build anyway"));
  }
}

void check_output(const BuildArguments& options) {
  if (options.output.empty())
    throw InputError("-o is missing: pass -o FILE, or --dry-run to print estimates only");
  require_regular_output(options.output,
                         {options.input.path, options.build.distances, options.mask, options.landmark_file});
  // Under the name of a shape it would be taken for one, or replace one.
  refuse_other_extension(options.output, {"geodome"}, "a .geodome file");
}

/// "relative error 1.2e-05 and mean error 0.3 % with 200 landmarks": upper ends of intervals.
std::string step_text(const TargetStep& step) {
  return text("relative error ", brief(step.relative_error), " and mean error ",
              brief(100 * step.mean_relative_error), " % with ",
              counted(step.landmarks, "landmark", "landmarks"), ", geodesic method '", step.geodesic, "'");
}

Json target_facts(const TargetReport& report) {
  Json facts{{"met", report.met}, {"steps", Json::array()}};
  for (const TargetStep& step : report.steps)
    facts["steps"].push_back({{"landmarks", step.landmarks},
                              {"geodesic", step.geodesic},
                              {"relative_error", finite_or_null(step.relative_error)},
                              {"mean_relative_error", finite_or_null(step.mean_relative_error)}});
  if (!report.met) facts["needed_landmarks"] = report.needed;
  return facts;
}

/// Throws where the target was not met and the file is not wanted nevertheless.
void require_target_met(const TargetReport& report, Index vertices, bool yes) {
  if (report.met) return;
  const std::string needed =
      report.needed < vertices
          ? text("; needed: about ", grouped(report.needed), " landmarks")
          : text("; more landmarks than the ", grouped(vertices), " vertices would be needed");
  const std::string said =
      text("the wanted error was not reached: ", report.reason, "; reached with 95 % confidence: ",
           step_text(report.steps[static_cast<std::size_t>(report.reached)]), needed);
  if (!yes) throw NumericalError(said + ". Nothing was written; --yes writes the most accurate result");
  std::cerr << "warning: " << said << '\n';
}

/// The plan of a build to a target: the number of landmarks follows from the error of a small build.
RankPlan plan_target(CleanShape clean, BuildOptions options, const ErrorTarget& target,
                     std::optional<double> landmark_memory, const Execution& execution) {
  const auto shape = std::make_shared<const Shape>(std::move(clean.shape));
  TargetSearch search(options, target, vertex_count(*shape));
  const Distances small = build(shape, {}, *search.next(), execution);
  search.add(small.summary(), *small.measured_error());
  options.landmarks.count = std::clamp<Index>(search.report().needed, 1, vertex_count(*shape));
  return plan_ranks(*shape, options, landmark_memory, execution);
}

void run(const BuildArguments& options, const CLI::App& command) {
  const Execution execution = make_execution(options);
  const Stopwatch clock;
  refuse_foreign_options(command, method_of(options));
  if (!options.dry_run) {
    check_output(options);
    require_blas_memory();
  }
  CleanShape clean = load_clean_shape(options.input);
  refuse_options_of_other_shapes(command, clean.shape, options.input.path);
  if (!options.quiet && !options.json)
    for (const std::string& note : clean.notes) std::cerr << "note: " << note << '\n';
  const Numbering numbering(clean.shape);
  BuildOptions build_options = resolve(options, clean.shape, numbering);
  const RankPlan planned =
      options.dry_run && options.target.asked()
          ? plan_target(clean, build_options, options.target, options.landmark_memory, execution)
          : plan_ranks(clean.shape, build_options, options.landmark_memory, execution);
  const BuildPlan& plan = planned.plan;
  if (options.dry_run) {
    options.json ? print_json(plan_facts(planned)) : print_plan(planned);
    return;
  }
  if (!options.yes) check_memory(plan);
  build_options.landmark_memory = planned.landmark_memory;
  std::optional<TargetReport> target;
  const Distances built = [&] {
    if (options.target.asked()) {
      TargetBuild found = build_to_target(std::make_shared<const Shape>(std::move(clean.shape)),
                                          std::move(clean.notes), build_options, options.target, execution);
      target = std::move(found.report);
      return std::move(found.distances);
    }
    if (traits(build_options.method).factors)
      build_options.log = found_once([&] { return log_path(options, plan); });
    return build_with_log(std::move(clean), build_options, execution);
  }();
  if (target) require_target_met(*target, built.size(), options.yes);
  built.save(options.output, {.shape = !options.no_shape}, execution);
  if (!build_options.log.empty() && is_first_rank()) remove_block_log(build_options.log);
  const auto file_bytes = static_cast<std::int64_t>(std::filesystem::file_size(options.output));
  const BuildReport report{built, options.input.path, options.output, file_bytes};
  if (options.json) {
    Json facts = build_facts(report);
    if (target) facts["target"] = target_facts(*target);
    print_json(facts);
  } else if (!options.quiet) {
    std::cout << build_text(report);
    if (target && target->met)
      std::cout << "found in " << counted(static_cast<std::int64_t>(target->steps.size()), "build", "builds")
                << ", " << duration(clock.seconds()) << " in all; with 95 % confidence at most "
                << step_text(target->steps[static_cast<std::size_t>(target->reached)]) << '\n';
    std::cerr << build_notes(report, build_options.interpolation.sparsity, numbering);
  }
  print_warnings(built.summary().warnings);
}

void add_matrix_options(CLI::App& command, BuildArguments& options) {
  command
      .add_option("-l,--landmarks", options.build.landmarks.count,
                  "Number of landmarks; 0: a fifth of the vertices, at least 50 and at most 1,000 (more for "
                  "shapes of several components)")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      .add_option("-p,--nonzeros", options.build.interpolation.nonzeros,
                  "sbha: nonzero weights per vertex (row of P), on average or at most")
      ->capture_default_str()
      ->check(whole_number(1));
  command
      .add_option("--method", options.method,
                  describe("Method:", std::span<const Named<Method>>(file_methods())))
      ->capture_default_str();
  command
      .add_option("--geodesic", options.geodesic,
                  "Geodesic method for the distances from landmarks; see 'geodome distances --help'")
      ->capture_default_str();
  command
      .add_option(
          "--coarsen", options.coarsen,
          "cell, sbha, bha: measure distances between landmarks on a coarser mesh of one in N vertices "
          "(2 to 1024), landmarks among them. auto: on the coarsest mesh whose mean error on a few "
          "exact rows is at most 0.1 %, where that saves time and --geodesic is auto; off: never. "
          "cell measures 2,000 whole rows, and only the rows of more landmarks on a coarser mesh")
      ->type_name("auto|off|N")
      ->capture_default_str();
  command.add_option(
      "--distances", options.build.distances,
      "NPY file with vertices x vertices precomputed distances to use instead of geodesic distances");
  command.add_option("--mask", options.mask,
                     "File with one value per vertex, or a label file; vertices with value 0 are excluded");
  command
      .add_option("--precision", options.precision,
                  describe("sbha, bha: precision of the stored landmark distances:", precisions()))
      ->capture_default_str();
  command.add_flag("--squared", options.squared,
                   "Mark the matrix as squared distances, which products with it in C++ and Python use; "
                   "query and rows return distances either way");
  command.add_flag("--no-shape", options.no_shape, "Do not store the shape in the file");
}

void add_expert_options(CLI::App& command, BuildArguments& options) {
  const auto add = [&](const char* name, auto& value, const std::string& help) {
    return command.add_option(name, value, help)->capture_default_str()->group("Expert options");
  };
  options.sparsity = name_of(sparsities(), options.build.interpolation.sparsity);
  add("--sparsity", options.sparsity, describe("sbha: entries of P that are kept:", sparsities()));
  add("--solver", options.solver, describe("sbha, bha: solver that computes P:", interpolation_methods()));
  add("--rounding", options.build.rounding,
      "cell: factor of the rounding steps; larger values give smaller files and larger errors")
      ->check(number_from(0.01, 100));
  command
      .add_flag("--positional", options.build.positional,
                "cell: compute weights from vertex positions instead of storing coordinates; needs the shape "
                "in the file")
      ->group("Expert options");
  add("--landmark-method", options.landmark_method, describe("Landmark selection:", landmark_methods()));
  add("--landmark-file", options.landmark_file, "Text or NPY file with the vertices to use as landmarks");
  add("--eigenvectors", options.build.baseline.eigenvectors,
      "spectrometer: number of eigenvectors of the Laplacian, at most the number of landmarks")
      ->check(whole_number(1));
  add("--places", options.build.baseline.places,
      "spectrometer: number of faces or edges per landmark at which gradients are evaluated; 0: all")
      ->check(whole_number(0));
  add("--repair,--mending", options.build.baseline.repair,
      "ctg: maximum number of samples added to repair the triangulation, as a fraction of the number of "
      "landmarks")
      ->check(number_from(0, 1000));
  add("--save-every", options.build.log_every,
      "Number of landmarks between two saves of the progress; 0: about 1,300, or all if fewer than 4,000")
      ->check(whole_number(0));
  command
      .add_option(
          "--landmark-memory", options.landmark_memory,
          "sbha, bha: gigabytes of memory for the distances between landmarks; if they take more, they "
          "are kept in a temporary file in the folder of the output while it is built; default: half of "
          "the available memory, or 0 if the build does not fit otherwise")
      ->check(number_from(0, 1e9))
      ->group("Expert options");
  add("--neighbours", options.build.geodesic.neighbours,
      "Samples and point clouds: number of nearest neighbours each point is connected to (for paths)")
      ->check(whole_number(1));
  add("--perplexity", options.build.laplacian.perplexity,
      "Samples: effective number of neighbours in the Laplacian")
      ->check(positive_number(1e9));
  add("--graph-weights", options.graph_weights,
      describe("Graphs: edge weights of the Laplacian:", graph_weights()));
  command
      .add_flag(
          "--intrinsic-delaunay", options.build.laplacian.intrinsic_delaunay,
          "Triangle meshes: use the intrinsic Delaunay triangulation (better for meshes with thin triangles)")
      ->group("Expert options");
}

}  // namespace

void add_build_command(CLI::App& app) {
  auto options = std::make_shared<BuildArguments>();
  CLI::App* command =
      app.add_subcommand("build", "Build a .geodome file: a sparse representation of all distances");
  command->footer(build_explanation);
  add_input_options(*command, "SHAPE", options->input);
  command->add_option("-o,--output", options->output, "Output file (.geodome)");
  add_matrix_options(*command, *options);
  command
      ->add_option("--evaluate", options->build.certificate_rows,
                   "Number of random rows to compare with exact distances (with --distances: with those) for "
                   "the error in the file; default: about a tenth of the time of the build, at least 4")
      ->check(whole_number(1));
  command
      ->add_option("--error", options->target.relative_error,
                   "cell, sbha, bha: choose the number of landmarks so that the relative error ε = sum of "
                   "(error of a distance)² / sum of (distance)², with its confidence interval, is below this "
                   "(1e-5: a root mean square error of 0.3 % of that of the distances)")
      ->transform(share_number());
  command
      ->add_option("--mean-error", options->target.mean_relative_error,
                   "The same for the mean of |error| / distance over pairs (0.005 or 0.5%)")
      ->transform(share_number());
  command->add_flag("--no-certificate", options->no_certificate, "Do not measure the error");
  command->add_flag("--dry-run", options->dry_run,
                    "Print estimates of time, memory and file size, and do not build");
  command->add_flag("--fresh", options->fresh,
                    "Start from the beginning; delete the saved progress of an earlier run");
  command->add_flag("--yes", options->yes,
                    "Build even if the estimated memory exceeds the available memory; write the file even if "
                    "--error or --mean-error was not reached");
  add_expert_options(*command, *options);
  add_common_options(*command, *options);
  command->callback([options, command] {
    select_method(*command, *options);
    run(*options, *command);
  });
}

}  // namespace geodome::cli
