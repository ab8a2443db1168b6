#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cli/run_program.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/write.h"

namespace geodome {
namespace {

using namespace testing;
using Json = nlohmann::json;

class CompareCommand : public ::testing::Test {
 protected:
  CompareCommand() { write_shape(make_torus(20, 10), folder_ / "ring & co.off"); }

  std::string out(const std::string& name = "") const {
    return folder_ / ("out" + (name.empty() ? "" : "/" + name));
  }
  std::string command(const std::string& more) const {
    return "compare '" + folder_ / "ring & co.off" + "' -o '" + out() + "' " + more;
  }

  const TemporaryFolder folder_;
};

TEST_F(CompareCommand, MeasuresEveryMethodAndWritesAllOfIt) {
  const ProgramResult result = run_program(
      command("--methods exact,bha,sbha --landmarks 10,40 --nonzeros 4,8 --repeat 2 --rows 0 --json"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  const Json facts = result.json();
  ASSERT_EQ(facts["results"].size(), 1u + 4 + 8);
  EXPECT_EQ(facts["refused"], Json::array());
  EXPECT_EQ(facts["reused"], 0);
  for (const Json& one : facts["results"]) {
    for (const char* key :
         {"method", "landmarks", "nonzeros", "repeat", "relative_error", "mean_relative_error",
          "p99_relative_error", "stress", "bytes", "reference_bytes", "workspace_bytes", "peak_bytes",
          "seconds", "cpu_seconds", "shape", "vertices", "seconds_by_stage"})
      EXPECT_TRUE(one.contains(key)) << key;
    EXPECT_GT(one["stress"], 0);
    EXPECT_GT(one["bytes"], 0);
    EXPECT_EQ(one["shape"], "ring & co");
    EXPECT_EQ(one["vertices"], 200);
    if (one["method"] == "exact") {
      EXPECT_LT(one["relative_error"], 1e-10);
      EXPECT_EQ(one["landmarks"], Json());
    } else {
      EXPECT_GT(one["relative_error"], 1e-10);
      EXPECT_LT(one["relative_error"], 0.1);
    }
  }
  // More landmarks err less, with the same seed, for all of P.
  const auto error = [&](const char* method, int landmarks) {
    for (const Json& one : facts["results"])
      if (one["method"] == method && one["landmarks"] == landmarks)
        return one["relative_error"].get<double>();
    return -1.0;
  };
  EXPECT_LT(error("bha", 40), error("bha", 10));
  for (const char* name : {"index.html", "results.csv", "cells.csv", "plots/error-landmarks-ring & co.svg",
                           "plots/stress-bytes-ring & co.svg", "plots/weights-landmarks.svg"})
    EXPECT_GT(std::filesystem::file_size(out(name)), 200u) << name;
  const std::string page = contents(out("index.html"));
  EXPECT_NE(page.find("ring &amp; co"), std::string::npos);
  EXPECT_NE(page.find("--landmarks 10,40"), std::string::npos);
}

TEST_F(CompareCommand, TakesAsManyEigenvectorsAsAskedFor) {
  const ProgramResult result = run_program(
      command("--methods smds,spectrometer --landmarks 40 --eigenvectors 12 --repeat 1 --json --no-stress"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json facts = result.json();
  ASSERT_EQ(facts["results"].size(), 2u);
  EXPECT_EQ(facts["results"][1]["bytes"], 8 * 12 * 200);
  EXPECT_NE(contents(out("index.html")).find("--eigenvectors 12"), std::string::npos);
}

TEST_F(CompareCommand, GoesOnWhereItWas) {
  const std::string some =
      command("--methods sbha --landmarks 10 --nonzeros 4 --repeat 2 --json --no-stress");
  const std::string more =
      command("--methods bha,sbha --landmarks 10 --nonzeros 4 --repeat 2 --json --no-stress --threads 1");
  const Json first = run_program(some).json();
  const Json second = run_program(more).json();
  EXPECT_EQ(second["reused"], 2);
  ASSERT_EQ(second["results"].size(), 4u);
  EXPECT_EQ(second["results"][2], first["results"][0]) << "to the last second";
  EXPECT_EQ(run_program(more).json()["results"], second["results"]);
  EXPECT_EQ(run_program(more + " --seed 1").json()["reused"], 0);
  EXPECT_EQ(run_program(more + " --rows 20").json()["reused"], 0);
  // A damaged store is measured again, and then sound.
  store(out("cells.csv"), contents(out("cells.csv")).substr(0, 700));
  EXPECT_EQ(run_program(more).json()["reused"], 0);
  const Json again = run_program(more).json();
  EXPECT_EQ(again["reused"], 4);
  EXPECT_EQ(again["results"][0]["relative_error"], second["results"][0]["relative_error"]);
}

TEST_F(CompareCommand, SaysWhatCannotBeDoneAndGoesOn) {
  const ProgramResult result =
      run_program(command("--methods bha,sbha --landmarks 20,300 --repeat 1 --json --no-stress"));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json facts = result.json();
  EXPECT_EQ(facts["results"].size(), 2u);
  ASSERT_EQ(facts["refused"].size(), 2u);
  EXPECT_EQ(facts["refused"][0]["landmarks"], 300);
  EXPECT_NE(facts["refused"][0]["reason"].get<std::string>().find("300"), std::string::npos);
  EXPECT_NE(contents(out("results.csv")).find("300"), std::string::npos);
  EXPECT_NE(contents(out("index.html")).find("Failed runs"), std::string::npos);
  const ProgramResult none = run_program(command("--methods bha --landmarks 300 --repeat 1"));
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_NE(none.errors.find("all methods failed"), std::string::npos);
}

TEST_F(CompareCommand, TakesSharesAndHasDefaults) {
  const Json facts =
      run_program(command("--methods bha --landmarks 5%,10% --repeat 1 --no-stress --json --rows 20")).json();
  ASSERT_EQ(facts["results"].size(), 2u);
  EXPECT_EQ(facts["results"][0]["landmarks"], 10);
  EXPECT_EQ(facts["results"][1]["landmarks"], 20);
  EXPECT_EQ(facts["shapes"][0]["rows"], 20);
  EXPECT_EQ(facts["shapes"][0]["geodesic"], "exact");
  const Json all = run_program(command("--repeat 1 --json")).json();
  std::set<std::string> methods;
  for (const Json& one : all["results"]) methods.insert(one["method"]);
  EXPECT_GE(methods.size(), 3u);
  EXPECT_TRUE(methods.contains("sbha"));
}

TEST_F(CompareCommand, FindsTheShapesOfARecipe) {
  std::filesystem::create_directories(folder_.path() / "data/paper");
  write_shape(make_torus(20, 10), folder_ / "data/paper/brain_mesh_7k.obj");
  write_shape(make_torus(16, 10), folder_ / "data/bunny_14290.obj");
  write_shape(make_torus(24, 10), folder_ / "data/dragon_10k.off");
  const std::string recipe =
      "compare --recipe p-sparsity --data '" + folder_ / "data" + "' --quick --json -o '" + out() + "'";
  const ProgramResult result = run_program(recipe + " --landmarks 10%,20%");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json facts = result.json();
  ASSERT_EQ(facts["results"].size(), 6u);
  for (const Json& one : facts["results"]) EXPECT_GT(one["large_weights_per_row"], 1);
  EXPECT_TRUE(std::filesystem::exists(out("plots/weights-landmarks.svg")));
  EXPECT_NE(contents(out("index.html")).find("--recipe p-sparsity"), std::string::npos);

  std::filesystem::remove(folder_.path() / "data/bunny_14290.obj");
  const ProgramResult missing = run_program(recipe);
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.errors.find("bunny_14290.obj"), std::string::npos);
}

TEST_F(CompareCommand, RefusesBadUsageWithAReason) {
  for (const char* more :
       {"--methods sbha,magic", "--landmarks 0", "--landmarks 5x", "--landmarks 200%", "--landmarks ''",
        "--nonzeros 0", "--eigenvectors 0", "--repeat 0", "--rows -1", "--rows 1", "--geodesic guess",
        "--recipe brain-error", "--quick", "--data .", "--dimensions 0", "--memory 0"}) {
    const ProgramResult result = run_program(command(more));
    EXPECT_EQ(result.exit_code, 2) << more;
    EXPECT_NE(result.errors, "") << more;
  }
  for (const std::string& arguments :
       {"compare -o '" + out() + "'", "compare '" + folder_ / "ring & co.off" + "'",
        "compare '" + folder_ / "none.off" + "' -o '" + out() + "'",
        "compare '" + folder_ / "ring & co.off" + "' -o '" + folder_ / "ring & co.off" + "'",
        "compare --recipe nothing --data . -o '" + out() + "'",
        "compare --recipe brain-error -o '" + out() + "'"}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors, "") << arguments;
  }
}

}  // namespace
}  // namespace geodome
