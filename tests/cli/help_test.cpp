#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "cli/run_program.h"

namespace geodome {
namespace {

using testing::ProgramResult;
using testing::run_program;

/// Characters of a line of UTF-8.
std::ptrdiff_t columns(const std::string& line) {
  return std::count_if(line.begin(), line.end(), [](unsigned char c) { return (c & 0xC0u) != 0x80u; });
}

TEST(Help, FitsInto80Columns) {
  for (const std::string command :
       {"", "shape", "info", "resample", "distances", "build", "query", "rows", "evaluate", "export", "embed",
        "match", "compare", "view", "path", "sample", "map", "partition", "interpolate"}) {
    const ProgramResult help = run_program(command + " --help");
    EXPECT_EQ(help.exit_code, 0) << command;
    std::istringstream lines(help.output);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(columns(line), 80) << command << ": " << line;
  }
}

TEST(Help, IsNamedWhereACommandIsUnknown) {
  const ProgramResult unknown = run_program("bild mesh.obj");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.errors, "geodome: unknown command 'bild': did you mean 'build'? (see --help)\n");
  EXPECT_EQ(run_program("").exit_code, 2);
}

TEST(Help, UnexpectedArgumentsAreNamedWithWhatWasMeant) {
  const std::pair<std::string, std::string> cases[] = {
      {"build a.obj --landmark 10 -o b.geodome", "unknown option '--landmark': did you mean '--landmarks'?"},
      {"build a.obj --lanmdarks=10 -o b.geodome",
       "unknown option '--lanmdarks': did you mean '--landmarks'?"},
      {"build a.obj --colour red -o b.geodome", "unknown option '--colour'"},
      {"build a.obj b.obj -o b.geodome", "unexpected argument 'b.obj'"},
      {"build a.obj -o b.geodome --landmarks", "--landmarks requires a value"},
      {"frobnicate a.obj", "unknown command 'frobnicate'"},
  };
  for (const auto& [command, message] : cases) {
    const ProgramResult result = run_program(command);
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_EQ(result.errors, "geodome: " + message + " (see --help)\n") << command;
  }
}

TEST(Help, HasExamplesOfEveryCommand) {
  for (const std::string command :
       {"shape", "info", "resample", "distances", "build", "query", "rows", "evaluate", "export", "embed",
        "match", "compare", "view", "path", "sample", "map", "partition", "interpolate"})
    EXPECT_NE(run_program(command + " --help").output.find("  geodome " + command), std::string::npos)
        << command;
}

}  // namespace
}  // namespace geodome
