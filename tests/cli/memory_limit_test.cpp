#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/write.h"

namespace geodome {
namespace {

using namespace testing;

/// Limits are in kilobytes. The time is a guard against runs that never end.
std::string limited_to(int kilobytes) {
  return "ulimit -v " + std::to_string(kilobytes) + "; timeout 120 ";
}

/// Of the dynamic loader, where not even the libraries fit.
constexpr int loader_failed = 127;

TEST(MemoryLimit, EndsWithAResultOrAReason) {
  if (run_program("--version", limited_to(4000000)).exit_code != 0)
    GTEST_SKIP() << "this program does not start under a limit, as under sanitizers";
  const TemporaryFolder folder;
  const std::string shape = "'" + folder / "sphere.ply" + "'", file = "'" + folder / "sphere.geodome" + "'";
  write_shape(make_sphere(10), folder / "sphere.ply");
  ASSERT_EQ(run_program("build " + shape + " -l 60 -o " + file).exit_code, 0);
  const std::string commands[] = {"build " + shape + " -l 60 -o '" + folder / "again.geodome" + "'",
                                  "distances " + shape + " --source 0 --geodesic heat",
                                  "embed " + shape + " -l 60 --stress-rows 0 --json",
                                  "evaluate " + file + " --rows 3"};
  for (const std::string& command : commands) {
    bool succeeded = false;
    for (const int megabytes : {60, 80, 100, 150, 200, 300, 600}) {
      const ProgramResult result = run_program(command, limited_to(1000 * megabytes));
      if (result.exit_code == loader_failed) continue;
      EXPECT_TRUE(result.exit_code == 0 || result.exit_code == 1) << megabytes << command << result.errors;
      EXPECT_TRUE(result.exit_code == 0 || result.errors.find("memory") != std::string::npos)
          << result.errors;
      succeeded = result.exit_code == 0;
    }
    EXPECT_TRUE(succeeded) << command;
  }
}

}  // namespace
}  // namespace geodome
