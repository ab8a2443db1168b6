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

namespace geodome::testing {

/// A folder that vanishes with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "geodome-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  /// The full name of a file in the folder.
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  /// Writes a file and returns its full name.
  std::string write(const std::string& name, const std::string& content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }

 private:
  std::filesystem::path path_;
};

struct ProgramResult {
  int exit_code = -1;  ///< -1 if the program was killed by a signal
  std::string output;  ///< stdout
  std::string errors;  ///< stderr

  /// stdout as one JSON object; throws if it is anything else.
  nlohmann::json json() const { return nlohmann::json::parse(output); }
};

/// Runs `geodome ARGUMENTS`, the arguments as one would type them in a shell.
inline ProgramResult run_program(const std::string& arguments) {
  const TemporaryFolder folder;
  const std::string command = GEODOME_PROGRAM " " + arguments + " >'" + folder / "stdout" + "' 2>'" +
                              folder / "stderr" + "' </dev/null";
  const int status = std::system(command.c_str());
  const auto content = [&](const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder / name, std::ios::binary).rdbuf();
    return text.str();
  };
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content("stdout"), content("stderr")};
}

}  // namespace geodome::testing
