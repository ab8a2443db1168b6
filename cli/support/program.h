#pragma once
/// A program made of subcommands: arguments, exceptions and exit codes.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <vector>

#include "support/command.h"

namespace geodome::cli {

enum ExitCode { done = 0, failure = 1, bad_input = 2, cancelled = cancelled_exit_code };

struct Program {
  std::string name;
  std::string description;
  std::vector<void (*)(CLI::App&)> commands;
  /// What to do about a failed command; the message is empty where the work was cancelled.
  std::function<void(ExitCode code, const std::string& message)> fail;
};

/// Before anything else in `main`: limits on memory and file sizes, and Ctrl-C.
void prepare_process(char** arguments);

/// Runs the command that the arguments name, and returns the exit code.
int run_program(const Program& program, int argc, char** argv);

/// Prints the message as the program's own.
void say_failure(const std::string& message);

}  // namespace geodome::cli
