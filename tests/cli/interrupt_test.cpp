#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <chrono>
#include <thread>

#include "cli/run_program.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/write.h"

namespace geodome {
namespace {

using namespace testing;

/// The program while it runs.
class Running {
 public:
  Running(std::vector<std::string> arguments, const std::string& errors) {
    child_ = fork();
    if (child_ != 0) return;
    std::vector<char*> words{const_cast<char*>("geodome")};
    for (std::string& one : arguments) words.push_back(one.data());
    words.push_back(nullptr);
    const bool quiet = std::freopen("/dev/null", "w", stdout) != nullptr &&
                       std::freopen(errors.c_str(), "w", stderr) != nullptr;
    if (quiet) execv(tested_program.c_str(), words.data());
    _exit(127);
  }
  ~Running() {
    if (child_ > 0) kill(child_, SIGKILL), waitpid(child_, nullptr, 0);
  }

  void send(int signal) const { kill(child_, signal); }

  /// -1 where a signal ended it, or where it did not end in a minute.
  int exit_code() {
    for (int tries = 0; tries < 600; ++tries) {
      int status = 0;
      if (waitpid(child_, &status, WNOHANG) == child_) {
        child_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
      }
      pause();
    }
    return -1;
  }

  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }

 private:
  pid_t child_ = -1;
};

std::vector<std::string> names_in(const TemporaryFolder& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

bool has_temporary(const TemporaryFolder& folder) {
  for (const std::string& name : names_in(folder))
    if (name.ends_with(".tmp")) return true;
  return false;
}

std::string numbers_up_to(int count) {
  std::string list = "0";
  for (int k = 1; k < count; ++k) list += "," + std::to_string(k);
  return list;
}

TEST(Interrupt, LeavesTheOldOutputAndNothingElse) {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TemporaryFolder folder, notes;
    write_shape(make_sphere(60), folder / "sphere.ply");
    folder.write("out.npy", "old");
    // All rows of 30,000 vertices, exactly: long enough for any machine.
    Running program({"distances", folder / "sphere.ply", "--geodesic", "exact", "--source",
                     numbers_up_to(20000), "-o", folder / "out.npy"},
                    notes / "errors");
    for (int tries = 0; tries < 600 && !has_temporary(folder); ++tries) Running::pause();
    ASSERT_TRUE(has_temporary(folder));
    program.send(signal);
    EXPECT_EQ(program.exit_code(), 130);
    EXPECT_EQ(names_in(folder), (std::vector<std::string>{"out.npy", "sphere.ply"}));
    EXPECT_EQ(contents(folder / "out.npy"), "old");
    EXPECT_EQ(contents(notes / "errors"), "geodome: cancelled\n");
  }
}

TEST(Interrupt, EndsWhatDoesNotListen) {
  const TemporaryFolder folder, notes;
  const std::string pipe = folder / "pipe.off";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const int times : {1, 2}) {
    Running program({"info", pipe}, notes / "errors");
    // Opening the other end waits until the program waits for bytes.
    const int writer = ::open(pipe.c_str(), O_WRONLY);
    for (int k = 0; k < times; ++k) program.send(SIGINT);
    EXPECT_EQ(program.exit_code(), 130);
    EXPECT_EQ(contents(notes / "errors"), "geodome: cancelled\n");
    close(writer);
  }
}

}  // namespace
}  // namespace geodome
