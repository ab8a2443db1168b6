#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>

#include "geodome/base/atomic_file.h"
#include "geodome/base/blas_memory.h"
#include "geodome/base/error.h"
#include "geodome/base/stopwatch.h"
#include "support/bounds.h"
#include "support/command.h"
#include "support/compare_output.h"
#include "support/compare_recipes.h"
#include "support/output_check.h"
#include "support/sheet.h"

namespace geodome::cli {
namespace {

const std::string explanation =
    "Tries every way to hold all distances of a shape side by side: with as many landmarks, on the same\n"
    "distances, measured in the same way. What comes out:\n"
    "\n"
    "  relative error  ||K~ - K||^2 / ||K||^2 over all pairs, or those of --rows random rows\n"
    "  of pairs        |K~ - K| / K: mean and 99 %\n"
    "  stress          of the canonical form that the method makes, 1 for a single point\n"
    "  bytes           ours, counted; as the reference counts (64-bit values, 32-bit indices); and apart\n"
    "                  from both what the method's scaling needs besides\n"
    "  seconds         by stage, as if the method had been alone\n"
    "\n"
    "Written into DIR: index.html (everything on one page), results.csv, plots/*.svg, and cells.csv, by "
    "which\n"
    "a run that was broken off, or that asks for more, goes on where it was. A method that cannot do\n"
    "something says why; the others go on.\n"
    "\n"
    "By default distances are exact, which takes seconds per row on shapes of 100,000 vertices and more: "
    "say\n"
    "--geodesic marching there. LANDMARKS may be shares of the vertices: --landmarks 1%,5%.\n"
    "\n"
    "Recipes, the experiments of the paper (--quick: some minutes instead of some hours):\n" +
    recipe_help() +
    "\n"
    "Examples:\n"
    "  geodome compare bunny.obj -o out\n"
    "  geodome compare cat.off dog.off --methods sbha,fmds --landmarks 100,200,400 --nonzeros 20,50 -o out\n"
    "  geodome compare dragon.ply --geodesic marching --rows 100 --no-stress --memory 12 -o out --json\n"
    "  geodome compare --recipe brain-error --data meshes --quick -o brain";

struct Options : CommonOptions {
  std::vector<std::string> shapes;
  std::string output;
  std::vector<std::string> methods;
  std::vector<std::string> landmarks;
  std::vector<Index> nonzeros;
  Index eigenvectors = TrialPlan().eigenvectors;
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
  const auto [rest, error] = share ? std::from_chars(word.data(), end, result.share)
                                   : std::from_chars(word.data(), end, result.count);
  result.share /= 100;
  if (error != std::errc() || rest != end ||
      (share ? !(result.share > 0 && result.share <= 1) : result.count < 1))
    throw InputError(text(
        "'", word,
        "' is not a number of landmarks: give a whole number of at least 1, such as 200, or a share of the "
        "vertices, such as 2.5%"));
  return result;
}

/// What the options say, where they were given, in place of what the plan says.
void apply_options(const Options& options, const CLI::App& command, TrialPlan& plan) {
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
  plan.eigenvectors = options.eigenvectors;
  plan.dimensions = options.dimensions;
  if (options.no_stress) plan.stress = false;
  if (options.alone) plan.alone = true;
  plan.seed = options.seed;
  plan.memory_bound = static_cast<std::int64_t>(options.memory * 1e9);
}

TrialPlan make_plan(const Options& options, const CLI::App& command) {
  TrialPlan plan;
  if (!options.recipe.empty()) {
    if (!options.shapes.empty())
      throw InputError("a recipe has shapes of its own: name either shapes or a recipe");
    if (options.data.empty()) throw InputError("say where the recipe finds its shapes: --data DIR");
    plan = recipe_plan(options.recipe, options.data, options.quick);
  } else {
    if (options.shapes.empty()) throw InputError("name the shapes to compare methods on, or a --recipe");
    if (options.quick || !options.data.empty()) throw InputError("--quick and --data go with --recipe only");
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
    throw FileError(text("cannot make the folder '", path, "'", error ? ": " + error.message() : ""));
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

/// The command with all that decides the result, whatever the defaults of another version may be.
std::string command_of(const Options& options, const TrialPlan& plan) {
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
  if (std::ranges::any_of(plan.methods, [](Method one) { return traits(one).eigenvectors; }))
    line += text(" --eigenvectors ", plan.eigenvectors);
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

void run(const Options& options, const CLI::App& command) {
  const Stopwatch clock;
  const TrialPlan plan = make_plan(options, command);
  const Execution execution = make_execution(options);
  require_blas_memory();
  std::vector<std::string> inputs;
  for (const TrialSubject& subject : plan.shapes) inputs.push_back(subject.path);
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
    std::cout << comparison_text(outcome) << "wrote " << page << " and more; " << duration(seconds);
    if (outcome.reused > 0)
      std::cout << ", " << outcome.reused << " of " << outcome.trials.size() << " were known";
    std::cout << '\n';
  }
}

std::string method_help() {
  std::string help = "Which methods, with commas between; by default all:";
  for (const Named<Method>& one : methods()) help += text("\n  ", one.name, ": ", one.description);
  return help;
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("compare", "Try every method side by side: error, stress, bytes, time");
  command->footer(explanation);
  command->add_option("SHAPE", options->shapes, "The shapes to try them on");
  command->add_option("-o,--output", options->output, "A folder for everything that is written")->required();
  command->add_option("--methods", options->methods, method_help())->delimiter(',');
  command
      ->add_option(
          "-l,--landmarks", options->landmarks,
          "Numbers of landmarks, or shares of the vertices (5%), with commas between; by default 50 to "
          "1,000, up to a quarter of the vertices")
      ->delimiter(',');
  command
      ->add_option(
          "-p,--nonzeros", options->nonzeros,
          "Landmarks each vertex draws on, with commas between, for methods that have them; by default 50")
      ->delimiter(',')
      ->check(whole_number(1));
  command
      ->add_option("--eigenvectors", options->eigenvectors,
                   "smds, spectrometer: of the Laplacian; spectrometer takes no more than landmarks")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--repeat", options->repeats, "Runs of each, with other landmarks")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_option("--rows", options->rows, "Rows to measure errors and stress on, at random; 0: all")
      ->capture_default_str()
      ->check(whole_number(0));
  command
      ->add_option(
          "--geodesic", options->geodesic,
          "How distances are measured, the true ones and those of the methods; see 'distances --help'")
      ->capture_default_str();
  command->add_option("-d,--dimensions", options->dimensions, "Axes of the canonical forms")
      ->capture_default_str()
      ->check(whole_number(1));
  command->add_flag("--no-stress", options->no_stress, "Distances only, no canonical forms");
  command->add_flag("--alone", options->alone,
                    "Every method measures its distances itself: slower, but the peak of memory and the "
                    "processor time are its own");
  command->add_option("--memory", options->memory, "Gigabytes that a method may take")
      ->capture_default_str()
      ->check(gigabytes());
  command->add_option("--recipe", options->recipe, "An experiment of the paper: see below");
  command->add_option("--data", options->data,
                      "Where the recipe finds its shapes, by name, also in folders inside");
  command->add_flag("--quick", options->quick, "A smaller form of the recipe");
  add_common_options(*command, *options);
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace geodome::cli
