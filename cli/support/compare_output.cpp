#include "support/compare_output.h"

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/base/mapped_file.h"
#include "geodome/base/version.h"
#include "geodome/report/trial_page.h"
#include "geodome/report/trial_plots.h"
#include "support/command.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

void write_text(const fs::path& path, const std::string& text) {
  AtomicFile file(path.string());
  file.write(text);
  file.commit();
}

/// Null for a method without.
Json parameter(Index value) {
  return value > 0 ? Json(value) : Json();
}

Json trial_json(const Trial& trial) {
  Json one;
  one["shape"] = trial.shape;
  one["vertices"] = trial.vertices;
  one["method"] = trial.method;
  one["landmarks"] = parameter(trial.landmarks);
  one["nonzeros"] = parameter(trial.nonzeros);
  one["repeat"] = trial.repeat;
  if (!trial.done()) {
    one["reason"] = trial.reason;
    return one;
  }
  one["relative_error"] = finite_or_null(trial.relative_error);
  one["mean_relative_error"] = finite_or_null(trial.mean_relative_error);
  one["p99_relative_error"] = finite_or_null(trial.p99_relative_error);
  one["stress"] = finite_or_null(trial.stress);
  one["normalised_stress"] = finite_or_null(trial.normalised_stress);
  if (std::isfinite(trial.large_weights)) one["large_weights_per_row"] = trial.large_weights;
  one["bytes"] = trial.bytes;
  one["reference_bytes"] = trial.reference_bytes;
  one["workspace_bytes"] = trial.workspace_bytes;
  one["peak_bytes"] = trial.peak_bytes;
  one["seconds"] = trial.seconds;
  one["cpu_seconds"] = finite_or_null(trial.cpu_seconds);
  for (const auto& [stage, seconds] : trial.stages) one["seconds_by_stage"][stage] = seconds;
  return one;
}

/// "1.23e-04", or a dash.
std::string scientific(const Spread& spread) {
  if (!spread.measured()) return "-";
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.3g", spread.median);
  return digits;
}

}  // namespace

std::vector<Trial> known_trials(const std::string& folder) {
  const fs::path path = fs::path(folder) / "cells.csv";
  if (!fs::exists(path)) return {};
  try {
    return trials_from_csv(std::string(MappedFile(path.string()).as_text()), path.string());
  } catch (const FileError&) {
    return {};  // of another version, or damaged: everything is measured again
  }
}

void write_trials(const std::string& folder, const std::string& name, const std::vector<Trial>& trials) {
  write_text(fs::path(folder) / name, trials_to_csv(trials));
}

std::vector<std::string> comparison_facts(const TrialPlan& plan, const TrialOutcome& outcome) {
  std::vector<std::string> facts;
  for (const TrialShape& shape : outcome.shapes)
    facts.push_back(text(shape.name, ": ", grouped(shape.vertices),
                         " vertices. Geodesic method of the reference distances and of the methods: '",
                         shape.geodesic, "'; errors on ",
                         shape.rows == shape.vertices ? std::string("all") : grouped(shape.rows) + " random",
                         " rows."));
  facts.push_back(
      text(plan.repeats == 1 ? std::string("One run of each method")
                             : text(grouped(plan.repeats), " runs of each method, with different landmarks"),
           plan.stress ? text("; stress of canonical forms in ", plan.dimensions, " dimensions")
                       : std::string("; no stress"),
           plan.alone ? "; no distances shared between methods" : "", ". geodome ", version, "."));
  return facts;
}

void write_comparison(const std::string& folder, const TrialPlan& plan, const TrialOutcome& outcome,
                      const std::string& title, const std::string& command) {
  write_trials(folder, "results.csv", outcome.trials);
  const fs::path plots = fs::path(folder) / "plots";
  std::error_code error;
  fs::create_directories(plots, error);
  if (error) throw FileError(text("cannot create the folder '", plots.string(), "': ", error.message()));
  for (const NamedPlot& one : trial_plots(outcome.trials))
    write_text(plots / (one.name + ".svg"), draw_plot_svg(one.plot));
  TrialPage page;
  page.title = title;
  page.facts = comparison_facts(plan, outcome);
  page.command = command;
  page.trials = outcome.trials;
  write_text(fs::path(folder) / "index.html", make_trial_page(page));
}

Json comparison_json(const TrialPlan& plan, const TrialOutcome& outcome) {
  Json facts;
  for (const TrialShape& shape : outcome.shapes)
    facts["shapes"].push_back({{"name", shape.name},
                               {"vertices", shape.vertices},
                               {"geodesic", shape.geodesic},
                               {"rows", shape.rows},
                               {"truth_seconds", shape.seconds}});
  facts["dimensions"] = plan.stress ? Json(plan.dimensions) : Json();
  facts["reused"] = outcome.reused;
  facts["results"] = Json::array();
  facts["refused"] = Json::array();
  for (const Trial& trial : outcome.trials)
    facts[trial.done() ? "results" : "refused"].push_back(trial_json(trial));
  return facts;
}

std::string comparison_text(const TrialOutcome& outcome) {
  std::string page, shape;
  char line[160];
  for (const TrialGroup& group : group_trials(outcome.trials)) {
    if (group.shape != shape) {
      shape = group.shape;
      page += text(shape, ", ", counted(group.vertices, "vertex", "vertices"), "\n");
      std::snprintf(line, sizeof line, "  %-18s %9s %8s %10s %10s %10s %10s %10s %9s\n", "method",
                    "landmarks", "nonzeros", "error", "mean rel.", "99 % rel.", "stress", "bytes", "time");
      page += line;
    }
    std::snprintf(line, sizeof line, "  %-18s %9s %8s %10s %10s %10s %10s %10s %9s\n", group.method.c_str(),
                  group.landmarks > 0 ? grouped(group.landmarks).c_str() : "-",
                  group.nonzeros > 0 ? grouped(group.nonzeros).c_str() : "-",
                  scientific(group.spread(&Trial::relative_error)).c_str(),
                  scientific(group.spread(&Trial::mean_relative_error)).c_str(),
                  scientific(group.spread(&Trial::p99_relative_error)).c_str(),
                  scientific(group.spread(&Trial::normalised_stress)).c_str(),
                  byte_count(static_cast<std::int64_t>(group.spread(&Trial::bytes).median)).c_str(),
                  duration(group.spread(&Trial::seconds).median).c_str());
    page += line;
  }
  std::string before;
  for (const Trial& trial : outcome.trials) {
    if (trial.done()) continue;
    const std::string what =
        text("failed: ", trial.method,
             trial.landmarks > 0 ? text(" with ", trial.landmarks, " landmarks") : std::string(), " on ",
             trial.shape, ": ", trial.reason, "\n");
    if (what != before) page += what;
    before = what;
  }
  return page;
}

}  // namespace geodome::cli
