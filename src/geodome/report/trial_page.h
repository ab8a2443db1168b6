#pragma once
/// One page, complete in itself, that shows how methods compare.

#include <string>
#include <vector>

#include "geodome/trials/trial.h"

namespace geodome::internal {

struct TrialPage {
  std::string title = "Methods compared";
  std::vector<std::string> facts;  ///< how it was measured, a sentence each
  std::string command;             ///< to run it again
  std::vector<Trial> trials;
};

/// Plots, a table of medians for every shape, what could not be done and why, the command.
std::string make_trial_page(const TrialPage& page);

}  // namespace geodome::internal
