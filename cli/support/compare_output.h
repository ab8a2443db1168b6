#pragma once
/// What `geodome compare` writes and prints.

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "geodome/trials/trial_run.h"

namespace geodome::cli {

/// Trials of earlier runs into the same folder; none where there is no such file or it is not ours.
std::vector<internal::Trial> known_trials(const std::string& folder);

/// Writes a file of trials into the folder, whole or not at all: "cells.csv" keeps everything that was ever
/// done there, "results.csv" what the last run requested. Throws FileError.
void write_trials(const std::string& folder, const std::string& name,
                  const std::vector<internal::Trial>& trials);

/// The tables, plots (plots/*.svg) and the page (index.html). `command` is how to run it again. Throws
/// FileError.
void write_comparison(const std::string& folder, const internal::TrialPlan& plan,
                      const internal::TrialOutcome& outcome, const std::string& title,
                      const std::string& command);

/// How it was measured, a sentence each.
std::vector<std::string> comparison_facts(const internal::TrialPlan& plan,
                                          const internal::TrialOutcome& outcome);

nlohmann::ordered_json comparison_json(const internal::TrialPlan& plan,
                                       const internal::TrialOutcome& outcome);

/// A table for the terminal.
std::string comparison_text(const internal::TrialOutcome& outcome);

}  // namespace geodome::cli
