#pragma once
/// Runs the real program as a user would, in a folder of its own, and hands back what it said.

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cli/tested_program/path.h"
#include "temporary_folder.h"

namespace geodome::testing {

struct ProgramResult {
  int exit_code = -1;  ///< -1 if the program was killed by a signal
  std::string output;  ///< stdout
  std::string errors;  ///< stderr

  /// stdout as one JSON object; throws if it is anything else.
  nlohmann::json json() const { return nlohmann::json::parse(output); }
};

/// A path as one word of a shell.
inline std::string in_quotes(const std::string& path) {
  return "'" + path + "'";
}

/// Runs `geodome ARGUMENTS`, the arguments as one would type them in a shell; `before` is typed in front of
/// the program, such as a limit on memory.
inline ProgramResult run_program(const std::string& arguments, const std::string& before = "") {
  const TemporaryFolder folder;
  const std::string command = before + tested_program + " " + arguments + " >'" + folder / "stdout" +
                              "' 2>'" + folder / "stderr" + "' </dev/null";
  const int status = std::system(command.c_str());
  const auto content = [&](const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return text.str();
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content("stdout"), content("stderr")};
}

}  // namespace geodome::testing
