#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace geodome {
namespace {

using namespace testing;

/// Refused in one line that names the option and the value, before any file is looked for.
void expect_refused(const std::string& command, const std::string& option, const std::string& word) {
  const ProgramResult result = run_program(command + " " + option + "='" + word + "'");
  EXPECT_EQ(result.exit_code, 2) << command << ' ' << option << ' ' << word << result.errors;
  EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  EXPECT_NE(result.errors.find(option), std::string::npos) << result.errors;
  EXPECT_NE(result.errors.find(word), std::string::npos) << result.errors;
  EXPECT_EQ(result.output, "");
}

TEST(Bounds, OfWholeNumbersAreChecked) {
  const struct {
    std::string command;
    std::vector<std::string> options;
  } commands[] = {
      {"shape sphere -o /nowhere/x.off", {"--vertices", "--pose", "--seed", "--threads"}},
      {"resample /nowhere/x.off -o /nowhere/y.off", {"--subdivide", "--decimate"}},
      {"build /nowhere/x.off -o /nowhere/y",
       {"--landmarks", "--nonzeros", "--evaluate", "--eigenvectors", "--places", "--save-every",
        "--neighbours"}},
      {"query /nowhere/x 0 1", {"--nearest"}},
      {"export /nowhere/x --to npy -o /nowhere/y", {"--neighbours"}},
      {"evaluate /nowhere/x", {"--rows", "--landmarks"}},
      {"embed /nowhere/x -o /nowhere/y.npy", {"--dimensions", "--landmarks", "--nonzeros", "--stress-rows"}},
      {"match /nowhere/x /nowhere/y -o /nowhere/z", {"--landmarks", "--nonzeros", "--samples"}},
      {"compare /nowhere/x -o /nowhere/z",
       {"--nonzeros", "--eigenvectors", "--repeat", "--rows", "--dimensions"}},
      {"view /nowhere/x -o /nowhere/y", {"--draw", "--error-rows", "--port"}}};
  for (const auto& [command, options] : commands)
    for (const std::string& option : options)
      for (const char* word : {"-1", "18446744073709551616", "1e3"}) expect_refused(command, option, word);
  for (const char* word : {"0x10", "nan", "inf", "", "1.5", "7 "})
    expect_refused("info /nowhere/x", "--seed", word), expect_refused("info /nowhere/x", "--threads", word);
  expect_refused("info /nowhere/x", "--threads", "2147483647");
  expect_refused("distances /nowhere/x", "--source", "x");
}

TEST(Bounds, OfOtherNumbersAreChecked) {
  for (const char* word : {"-1", "nan", "abc", "1e999", ""}) {
    expect_refused("embed /nowhere/x -o /nowhere/y.npy", "--memory", word);
    expect_refused("build /nowhere/x -o /nowhere/y", "--perplexity", word);
  }
  for (const char* word : {"0", "inf"}) expect_refused("compare /nowhere/x -o /nowhere/y", "--memory", word);
  for (const char* word : {"-1", "nan", "abc"}) {
    expect_refused("distances /nowhere/x --source 0", "--radius", word);
    expect_refused("query /nowhere/x 0", "--radius", word);
    expect_refused("build /nowhere/x -o /nowhere/y", "--repair", word);
    expect_refused("build /nowhere/x -o /nowhere/y", "--landmark-memory", word);
  }
}

TEST(Bounds, LetGoodNumbersPass) {
  const TemporaryFolder folder;
  const std::string shape = "shape sphere -o '" + folder / "x.off" + "' --json ";
  EXPECT_EQ(run_program(shape + "--seed 18446744073709551615 --threads 4096 --vertices 012").exit_code, 0);
  const ProgramResult twelve = run_program(shape + "--vertices 0000042"),
                      same = run_program(shape + "--vertices +42");
  EXPECT_EQ(twelve.json()["vertices"], same.json()["vertices"]);
  EXPECT_EQ(twelve.json()["vertices"], 42);
  EXPECT_EQ(run_program("distances '" + folder / "x.off" + "' --source 0 --radius inf").exit_code, 0);
  const ProgramResult many = run_program("embed '" + folder / "x.off" + "' --json --dimensions 1000000");
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_NE(many.errors.find("42"), std::string::npos) << many.errors;
}

}  // namespace
}  // namespace geodome
