#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geodome/file/matrix_file.h"
#include "geodome/shape/io/npy.h"
#include "run_program.h"

namespace geodome::internal {
namespace {

using namespace testing;

/// A folder with a shape and what `build --method cell` makes of it.
class CellCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_program("shape sphere --vertices 642 -o " + in_quotes(shape)).exit_code, 0);
    built = run_program(build + in_quotes(file) + " --json");
    ASSERT_EQ(built.exit_code, 0) << built.errors;
  }

  TemporaryFolder folder;
  std::string shape = folder / "sphere.ply";
  std::string file = folder / "sphere.geodome";
  std::string build = "build " + in_quotes(shape) + " --method cell --landmarks 80 -o ";
  ProgramResult built;
};

TEST_F(CellCommands, BuildAndInfoAgree) {
  const auto facts = built.json();
  EXPECT_EQ(facts["vertices"], 642);
  EXPECT_EQ(facts["landmarks"], 80);
  EXPECT_EQ(facts["file_bytes"], std::filesystem::file_size(file));
  const auto run = run_program("info --verify --json " + in_quotes(file));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_EQ(run.json()["method"], "cell");
  EXPECT_EQ(run.json()["bytes"], facts["bytes"]);
  EXPECT_EQ(run.json()["landmarks"], 80);
  EXPECT_EQ(run.json()["components"], 1);
  EXPECT_EQ(run.json()["recipe"], facts["recipe"]);
  EXPECT_EQ(facts["recipe"]["method"], "cell");
  EXPECT_EQ(run_program("info " + in_quotes(file)).exit_code, 0);
}

TEST_F(CellCommands, QueriesAgreeWithRowsAndWithMeasuring) {
  const auto query = run_program("query " + in_quotes(file) + " 3 500 3 3 41 7 --json").json();
  EXPECT_EQ(query["distances"][1], 0);
  ASSERT_EQ(run_program("rows " + in_quotes(file) + " 3 41 -o " + in_quotes(folder / "r.npy")).exit_code, 0);
  const RowMatrix<double> rows = read_npy_matrix(folder / "r.npy");
  EXPECT_NEAR(rows(0, 500), query["distances"][0], 1e-12);
  EXPECT_NEAR(rows(1, 7), query["distances"][2], 1e-12);
  const std::string measure =
      "distances " + in_quotes(shape) + " --source 3,41 -o " + in_quotes(folder / "d.npy");
  ASSERT_EQ(run_program(measure).exit_code, 0);
  const RowMatrix<double> measured = read_npy_matrix(folder / "d.npy");
  EXPECT_LT((rows - measured).norm(), 0.02 * measured.norm());
}

TEST_F(CellCommands, BoundsContainTheDistance) {
  const std::string ask = "query " + in_quotes(file) + " 3 500 3 3 41 7 --bounds ";
  const auto facts = run_program(ask + "--json").json();
  EXPECT_EQ(facts["bounds"], "certain");
  EXPECT_EQ(facts["lower"][1], 0);
  EXPECT_EQ(facts["upper"][1], 0);
  const std::string measure =
      "distances " + in_quotes(shape) + " --source 3 --geodesic exact -o " + in_quotes(folder / "d.npy");
  ASSERT_EQ(run_program(measure).exit_code, 0);
  const double exact = read_npy_matrix(folder / "d.npy")(0, 500);
  EXPECT_LE(facts["lower"][0].get<double>(), exact);
  EXPECT_GE(facts["upper"][0].get<double>(), exact);
  const ProgramResult lines = run_program(ask);
  EXPECT_EQ(std::count(lines.output.begin(), lines.output.end(), ','), 3 * 4) << lines.output;
  EXPECT_EQ(lines.errors, "");
  ASSERT_EQ(run_program(ask + "-o " + in_quotes(folder / "d.csv")).exit_code, 0);
  EXPECT_TRUE(contents(folder / "d.csv").starts_with("from,to,distance,lower,upper\n3,500,"));
}

TEST_F(CellCommands, BoundsAreRefusedWithoutTheShapeAndWithNeighbours) {
  const ProgramResult both = run_program("query " + in_quotes(file) + " 3 --nearest 4 --bounds");
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.errors.find("--bounds applies to pairs"), std::string::npos) << both.errors;
  ASSERT_EQ(run_program(build + in_quotes(folder / "bare") + " --no-shape").exit_code, 0);
  const ProgramResult bare = run_program("query " + in_quotes(folder / "bare") + " 3 500 --bounds");
  EXPECT_EQ(bare.exit_code, 2);
  EXPECT_NE(bare.errors.find("does not contain it"), std::string::npos) << bare.errors;
}

TEST_F(CellCommands, EvaluateFindsTheErrorOfTheRows) {
  const auto run = run_program("evaluate " + in_quotes(file) + " --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(run.output.find("relative_error"), std::string::npos) << run.output;
}

TEST_F(CellCommands, EmbedsAndExports) {
  const auto embed =
      run_program("embed " + in_quotes(file) + " --dimensions 3 -o " + in_quotes(folder / "z.npy"));
  ASSERT_EQ(embed.exit_code, 0) << embed.errors;
  const RowMatrix<double> Z = read_npy_matrix(folder / "z.npy");
  EXPECT_EQ(Z.rows(), 642);
  EXPECT_EQ(Z.cols(), 3);
  EXPECT_TRUE(Z.allFinite());
  const auto exported =
      run_program("export " + in_quotes(file) + " --to npy -o " + in_quotes(folder / "K.npy"));
  ASSERT_EQ(exported.exit_code, 0) << exported.errors;
  ASSERT_EQ(run_program("rows " + in_quotes(file) + " 3 41 -o " + in_quotes(folder / "r.npy")).exit_code, 0);
  const RowMatrix<double> K = read_npy_matrix(folder / "K.npy"), rows = read_npy_matrix(folder / "r.npy");
  EXPECT_LT((K.row(41) - rows.row(1)).cwiseAbs().maxCoeff(), 1e-5);
  const auto nearest = run_program("export " + in_quotes(file) + " --to brainsmash --neighbours 20 -o " +
                                   in_quotes(folder / "smash"));
  EXPECT_EQ(nearest.exit_code, 0) << nearest.errors;
}

TEST_F(CellCommands, CompareKnowsIt) {
  const auto run = run_program("compare " + in_quotes(shape) + " --methods cell,sbha --landmarks 60 -o " +
                               in_quotes(folder / "compared"));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_NE(contents(folder / "compared/cells.csv").find("cell"), std::string::npos);
}

TEST_F(CellCommands, TheSameCommandGivesTheSameBytes) {
  ASSERT_EQ(run_program(build + in_quotes(folder / "other") + " --threads 1").exit_code, 0);
  EXPECT_TRUE(contents(file) == contents(folder / "other"));
}

TEST_F(CellCommands, PlansWithoutBuilding) {
  const auto run = run_program(build + in_quotes(folder / "plan") + " --dry-run --json");
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  EXPECT_FALSE(std::filesystem::exists(folder / "plan"));
  EXPECT_EQ(run.json()["landmarks"], 80);
  EXPECT_GT(run.json()["seconds"]["total"], 0);
  EXPECT_GT(3 * run.json()["file_bytes"].get<double>(), built.json()["file_bytes"].get<double>());
  EXPECT_LT(run.json()["file_bytes"].get<double>(), 3 * built.json()["file_bytes"].get<double>());
}

TEST_F(CellCommands, APrecisionIsRefused) {
  const std::string before = contents(file);
  for (const char* precision : {"uint16", "float64"}) {
    const auto run = run_program(build + in_quotes(file) + " --precision " + precision);
    EXPECT_EQ(run.exit_code, 2) << run.errors;
    EXPECT_NE(run.errors.find("precision"), std::string::npos) << run.errors;
  }
  EXPECT_TRUE(contents(file) == before);
}

TEST_F(CellCommands, KilledAndStartedAgainItEndsWithTheSameBytes) {
  const std::string options = " --method cell --landmarks 160 --save-every 8 --json -o ";
  ASSERT_EQ(run_program("build " + in_quotes(shape) + options + in_quotes(folder / "whole")).exit_code, 0);
  const std::string resumed = folder / "resumed", progress = folder / "resumed.progress";
  // Every run may take somewhat longer than the one before, so that they are killed in every stage. Where
  // none was killed while it measured (the machine was busy with other things), all is tried again.
  bool left_progress = false;
  for (int attempt = 0; attempt < 10 && !left_progress; ++attempt) {
    std::filesystem::remove(resumed);
    for (double seconds = 0.02;; seconds *= 1.2) {
      std::ostringstream line;
      line << "timeout -s KILL " << seconds << " " << tested_program << " build " << in_quotes(shape)
           << options << in_quotes(resumed) << " >/dev/null 2>&1";
      const int status = std::system(line.str().c_str());
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
      left_progress |= std::filesystem::exists(progress);
      ASSERT_LT(seconds, 100);
    }
    EXPECT_TRUE(contents(resumed) == contents(folder / "whole"));
    EXPECT_FALSE(std::filesystem::exists(progress));
  }
  EXPECT_TRUE(left_progress);
}

}  // namespace
}  // namespace geodome::internal
