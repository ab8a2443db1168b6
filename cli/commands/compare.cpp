#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/read_number.h"
#include "geodome/base/stopwatch.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/compare_output.h"
#include "support/compare_recipes.h"
#include "support/help_format.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

constexpr const char* compare_explanation_begin =
    R"(Runs several methods on the same shapes with the same number of landmarks, the
same distances and the same error measures, and writes a report.

Measured for each method:
  relative error  ||K~ - K||^2 / ||K||^2 over all pairs, or over the pairs of
                  --rows random rows
  of pairs        |K~ - K| / K: mean and 99th percentile
  stress          of the canonical form computed by the method; 1 for
                  a single point
  bytes           bytes stored by geodome; bytes of the same numbers as stored
                  by the code of the paper (64-bit values, 32-bit indices); and
                  additional bytes needed by the scaling of the method
  seconds         by stage, of the method alone

Written into the output folder: index.html (a report), results.csv, plots/*.svg,
and cells.csv with all results computed so far. If the command is run again,
with the same or with additional methods or landmarks, these results are reused.
A method that fails is listed with the reason, and does not stop the comparison.

By default distances are exact, which takes seconds per row on shapes of 100,000
vertices and more: use --geodesic marching for these. Numbers of landmarks can
be percentages of the vertices: --landmarks 1%,5%.

Recipes: the experiments of the paper (with --quick a few minutes instead of a
few hours):
)";

constexpr const char* compare_explanation_end = R"(
Examples:
  geodome compare bunny.obj -o out
  geodome compare cat.off dog.off --methods sbha,fmds \
    --landmarks 100,200,400 --nonzeros 20,50 -o out
  geodome compare dragon.ply --geodesic marching --rows 100 --no-stress \
    --memory 12 -o out --json
  geodome compare --recipe brain-error --data meshes --quick -o brain)";

struct CompareArguments : CommonOptions {
  std::vector<std::string> shapes;
  std::string output;
  std::vector<std::string> methods;
  std::vector<std::string> landmarks;
  std::vector<Index> nonzeros;
  Index eigenvectors = BaselineOptions().eigenvectors;
  double softening = BaselineOptions().softening;
  double smds_weight = BaselineOptions().smds_weight;
  bool square_root = false;
  std::string sparsity;
  std::string landmark_method;
  std::string distances;
  Index repeats = TrialPlan().repeats;
  Index rows = TrialPlan().rows;
  Index dimensions = TrialPlan().dimensions;
  std::string geodesic = "exact";
  bool no_stress = false;
  bool alone = false;
  std::string recipe;
  std::string data;
  bool quick = false;
  double memory = 8;  ///< gigabytes
};

/// "200" or "2.5%".
LandmarkCount landmark_count(const std::string& word) {
  const bool share = !word.empty() && word.back() == '%';
  const char* end = word.data() + word.size() - (share ? 1 : 0);
  LandmarkCount result;
  const auto [rest, error] =
      share ? read_number(word.data(), end, result.share) : read_number(word.data(), end, result.count);
  result.share /= 100;
  if (error != std::errc() || rest != end ||
      (share ? !(result.share > 0 && result.share <= 1) : result.count < 1))
    throw InputError(text("--landmarks ", word,
                          " is invalid: expected an integer of at least 1 (200) or a percentage of the "
                          "vertices of more than 0 and at most 100 (2.5%)"));
  return result;
}

/// What the options say, where they were given, in place of what the plan says.
void apply_options(const CompareArguments& options, const CLI::App& command, TrialPlan& plan) {
  const auto given = [&](const char* name) { return command.get_option(name)->count() > 0; };
  const bool recipe = !options.recipe.empty();
  if (given("--methods")) {
    plan.methods.clear();
    for (const std::string& name : options.methods)
      plan.methods.push_back(choice_of(methods(), name, "method"));
  }
  if (given("--landmarks")) {
    plan.landmarks.clear();
    for (const std::string& word : options.landmarks) plan.landmarks.push_back(landmark_count(word));
  }
  if (given("--nonzeros")) plan.nonzeros = options.nonzeros;
  if (!recipe || given("--repeat")) plan.repeats = options.repeats;
  if (!recipe || given("--rows")) plan.rows = options.rows;
  if (given("--geodesic")) plan.geodesic = geodesic_method(options.geodesic);
  plan.baseline.eigenvectors = options.eigenvectors;
  plan.baseline.softening = options.softening;
  plan.baseline.smds_weight = options.smds_weight;
  plan.baseline.square_root = options.square_root;
  plan.sparsity = choice_of(sparsities(), options.sparsity, "sparsity");
  plan.landmark_method = choice_of(landmark_methods(), options.landmark_method, "landmark method");
  if (plan.landmark_method == LandmarkMethod::user)
    throw InputError("--landmark-method must be farthest or random: runs differ in their landmarks");
  plan.distances = options.distances;
  plan.dimensions = options.dimensions;
  if (options.no_stress) plan.stress = false;
  if (options.alone) plan.alone = true;
  plan.seed = options.seed;
  plan.memory_bound = static_cast<std::int64_t>(options.memory * 1e9);
}

TrialPlan make_plan(const CompareArguments& options, const CLI::App& command) {
  TrialPlan plan;
  if (!options.recipe.empty()) {
    if (!options.shapes.empty())
      throw InputError("--recipe cannot be combined with shapes: its shapes are fixed");
    if (options.data.empty())
      throw InputError("--recipe requires --data DIR, the folder that contains the shapes");
    if (!options.distances.empty())
      throw InputError("--distances cannot be combined with --recipe: the shapes of a recipe are measured");
    plan = recipe_plan(options.recipe, options.data, options.quick);
  } else {
    if (options.shapes.empty()) throw InputError("no shapes: pass shapes or --recipe NAME");
    if (options.quick || !options.data.empty()) throw InputError("--quick and --data require --recipe");
    plan.shapes = subjects_of(options.shapes);
    for (const Named<Method>& one : methods()) plan.methods.push_back(one.choice);
  }
  apply_options(options, command, plan);
  return plan;
}

void make_folder(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !std::filesystem::is_directory(path))
    throw FileError(text("cannot create the folder '", path, "'", error ? ": " + error.message() : ""));
  // Whether something can be written there, before anything is measured.
  const AtomicFile probe((std::filesystem::path(path) / "cells.csv").string());
}

/// A word as a shell takes it.
std::string shell_word(const std::string& word) {
  if (!word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                              "_-./,:=%+@") == std::string::npos)
    return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// Options of single methods, where they are not those of `geodome build`.
std::string parameters(const TrialPlan& plan) {
  const TrialPlan usual;
  const auto tries = [&](Method method) {
    return std::count(plan.methods.begin(), plan.methods.end(), method) > 0;
  };
  std::string line;
  if (plan.sparsity != usual.sparsity) line += text(" --sparsity ", name_of(sparsities(), plan.sparsity));
  if (plan.landmark_method != usual.landmark_method)
    line += text(" --landmark-method ", name_of(landmark_methods(), plan.landmark_method));
  if (tries(Method::fmds)) line += text(" --softening ", plan.baseline.softening);
  if (plan.baseline.square_root) line += " --square-root";
  if (tries(Method::smds)) line += text(" --smds-weight ", plan.baseline.smds_weight);
  if (!plan.distances.empty()) line += " --distances " + shell_word(plan.distances);
  return line;
}

/// The command with all that decides the result, whatever the defaults of another version may be.
std::string command_of(const CompareArguments& options, const TrialPlan& plan) {
  std::string line = "geodome compare";
  const auto add = [&](const std::string& word) { line += " " + shell_word(word); };
  const auto join = [](const auto& all, const auto& write) {
    std::string list;
    for (const auto& one : all) list += (list.empty() ? "" : ",") + write(one);
    return list;
  };
  if (options.recipe.empty()) {
    for (const TrialSubject& subject : plan.shapes) add(subject.path);
  } else {
    line += " --recipe " + options.recipe + " --data";
    add(options.data);
    if (options.quick) line += " --quick";
  }
  line += " --methods " + join(plan.methods, [](Method one) { return std::string(name_of(methods(), one)); });
  if (!plan.landmarks.empty())
    line += " --landmarks " + join(plan.landmarks, [](const LandmarkCount& one) {
              return one.count > 0 ? std::to_string(one.count) : brief(100 * one.share) + "%";
            });
  line += " --nonzeros " + join(plan.nonzeros, [](Index one) { return std::to_string(one); });
  if (std::any_of(plan.methods.begin(), plan.methods.end(),
                  [](Method one) { return traits(one).eigenvectors; }))
    line += text(" --eigenvectors ", plan.baseline.eigenvectors);
  line += parameters(plan);
  line += text(" --repeat ", plan.repeats, " --rows ", plan.rows);
  if (plan.geodesic != GeodesicMethod::automatic)
    line += text(" --geodesic ", geodesic_method_name(plan.geodesic));
  if (plan.stress)
    line += text(" --dimensions ", plan.dimensions);
  else
    line += " --no-stress";
  if (plan.alone) line += " --alone";
  line += text(" --memory ", options.memory, " --seed ", plan.seed, " -o");
  add(options.output);
  return line;
}

void run(const CompareArguments& options, const CLI::App& command) {
  const Stopwatch clock;
  const TrialPlan plan = make_plan(options, command);
  const Execution execution = make_execution(options);
  require_blas_memory();
  std::vector<std::string> inputs;
  for (const TrialSubject& subject : plan.shapes) inputs.push_back(subject.path);
  if (!plan.distances.empty()) inputs.push_back(plan.distances);
  require_outputs_in(options.output, {"cells.csv", "results.csv", "index.html"}, inputs);
  make_folder(options.output);
  std::vector<Trial> cells = known_trials(options.output);
  const TrialOutcome outcome = run_trials(
      plan, std::vector<Trial>(cells),
      [&](const Trial& trial) {
        if (!trial.done()) return;
        cells.push_back(trial);
        write_trials(options.output, "cells.csv", cells);
      },
      execution);
  const std::string title = options.recipe.empty()
                                ? "Methods compared"
                                : "Methods compared: " + options.recipe + (options.quick ? ", quick" : "");
  write_comparison(options.output, plan, outcome, title, command_of(options, plan));
  const double seconds = clock.seconds();
  const std::string page = (std::filesystem::path(options.output) / "index.html").string();
  if (options.json) {
    nlohmann::ordered_json facts = comparison_json(plan, outcome);
    facts["output"] = page;
    facts["seconds"] = seconds;
    print_json(facts);
  } else if (!options.quiet) {
    std::cout << comparison_text(outcome) << "wrote " << page << " and other files; " << duration(seconds);
    if (outcome.reused > 0)
      std::cout << ", " << outcome.reused << " of " << outcome.trials.size() << " results reused";
    std::cout << '\n';
  }
}

/// What the code of the paper and of the baselines lets one choose.
void add_parameters(CLI::App& command, CompareArguments& options) {
  const TrialPlan usual;
  options.sparsity = name_of(sparsities(), usual.sparsity);
  options.landmark_method = name_of(landmark_methods(), usual.landmark_method);
  command
      .add_option("--sparsity", options.sparsity,
                  describe("Methods with sparse P: entries of P that are kept:", sparsities()))
      ->capture_default_str();
  command
      .add_option("--landmark-method", options.landmark_method,
                  "Landmark selection: farthest points (farthest) or random vertices (random)")
      ->capture_default_str();
  command
      .add_option("--softening", options.softening,
                  "fmds: μ, how closely the interpolation follows the landmarks, in units of 1 / length²")
      ->capture_default_str()
      ->check(positive_number(1e300));
  command.add_flag("--square-root", options.square_root,
                   "fmds, fmds-hard: distances as square roots of interpolated squared distances");
  command
      .add_option("--smds-weight", options.smds_weight,
                  "smds: μ, how closely the interpolation follows the landmarks, in units of 1 / length²")
      ->capture_default_str()
      ->check(positive_number(1e300));
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto options = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Compare methods: error, stress, bytes, time");
  command->footer(compare_explanation_begin + recipe_help() + compare_explanation_end);
  command->add_option("SHAPE", options->shapes, "Shapes to run the methods on");
  command->add_option("-o,--output", options->output, "Output folder")->required();
  command
      ->add_option("--methods", options->methods,
                   describe("Methods, separated by commas; default: all:", methods()))
      ->delimiter(',');
  command
      ->add_option(
          "-l,--landmarks", options->landmarks,
          "Numbers of landmarks, or percentages of the vertices (5%), separated by commas; default: 50 to "
          "1,000, up to a quarter of the vertices")
      ->delimiter(',');
  command
      ->add_option("-p,--nonzeros", options->nonzeros,
                   "Nonzero weights per vertex (row of P), separated by commas, for methods with sparse P; "
                   "default: 50")
      ->delimiter(',')
      ->check(whole_number(1));
  command
      ->add_option("--eigenvectors", options->eigenvectors,
                   "smds, spectrometer: number of eigenvectors of the Laplacian; for spectrometer at most "
                   "the number of "
                   "landmarks")
      ->capture_default_str()
      ->check(whole_number(1));
  add_parameters(*command, *options);
  command->add_option("--repeat", options->repeats, "Number of runs of each method, with different landmarks")
      ->capture_default_str()
      ->check(whole_number(1));
  command
      ->add_option("--rows", options->rows,
                   "Number of random rows that error and stress are measured on; 0: all")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      ->add_option(
          "--geodesic", options->geodesic,
          "Geodesic method, for the reference distances and for the methods; see 'geodome distances --help'")
      ->capture_default_str();
  command->add_option(
      "--distances", options->distances,
      "NPY file with vertices x vertices precomputed distances to use instead, for one shape");
  command->add_option("-d,--dimensions", options->dimensions, "Number of dimensions of the canonical forms")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_flag("--no-stress", options->no_stress, "Do not compute canonical forms");
  command->add_flag(
      "--alone", options->alone,
      "Share no distances between methods: slower, but peak memory and processor time are those of "
      "the method alone");
  command->add_option("--memory", options->memory, "Memory limit of a method in gigabytes")
      ->capture_default_str()
      ->check(gigabytes());
  command->add_option("--recipe", options->recipe, "Experiment of the paper; see below");
  command->add_option("--data", options->data,
                      "Folder with the shapes of the recipe, found by name, also in subfolders");
  command->add_flag("--quick", options->quick, "Run a smaller version of the recipe");
  add_common_options(*command, *options);
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace geodome::cli
