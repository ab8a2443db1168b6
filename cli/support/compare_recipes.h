#pragma once
/// The experiments of the paper [Turek and Huth 2018] as plans that anyone can run again.

#include <string>

#include "geodome/trials/trial_run.h"

namespace geodome::cli {

/// Names with a line of explanation each, for --help.
std::string recipe_help();

/// The plan of a recipe, its shapes found by name in a folder and those inside it. `quick` takes some minutes
/// instead of some hours. Throws InputError where there is no such recipe, FileError naming the file that is
/// missing and where it can be had.
internal::TrialPlan recipe_plan(const std::string& name, const std::string& data, bool quick);

}  // namespace geodome::cli
