#pragma once
/// Messages on arguments that a program does not have, with what was probably meant.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace geodome::cli {

/// ": did you mean 'build'?", the name that a word begins, or else one that differs from it in at most two
/// letters, or by two letters next to each other in the wrong order; empty where there is none.
std::string suggestion(const std::string& word, const std::vector<std::string>& names);

/// Names the first argument that the command does not take.
std::string unexpected_argument(const CLI::App& command);

/// Names a command that the program does not have.
std::string unknown_command(const CLI::App& program, const std::string& name);

/// Names the option whose value is missing; else what the parser says.
std::string missing_value(const CLI::ArgumentMismatch& error);

}  // namespace geodome::cli
