#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_program.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using Json = nlohmann::json;

class MatchCommand : public ::testing::Test {
 protected:
  MatchCommand() {
    const Creature creature = make_creature(400);
    for (const int pose : {0, 1})
      write_shape(pose_creature(creature, pose), folder_ / ("creature" + std::to_string(pose) + ".ply"));
    write_shape(make_torus(24, 12), folder_ / "ring1.off");
    write_shape(make_torus(28, 14), folder_ / "ring2.off");
    for (const char* name : {"creature0.ply", "ring1.off", "creature1.ply", "ring2.off"})
      shapes_ += " '" + folder_ / name + "'";
  }

  std::string out(const std::string& name = "") const {
    return folder_ / ("out" + (name.empty() ? "" : "/" + name));
  }

  const TemporaryFolder folder_;
  std::string shapes_;
};

TEST_F(MatchCommand, TellsPosesFromOtherShapes) {
  const std::string command =
      "match" + shapes_ + " -o '" + out() + "' --landmarks 60 --correspondences --json";
  const ProgramResult result = run_program(command);
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  const Json facts = result.json();
  EXPECT_EQ(facts["nearest"], Json({2, 3, 0, 1}));
  EXPECT_EQ(facts["labels"], Json({"creature", "ring", "creature", "ring"}));
  EXPECT_EQ(facts["category_accuracy"]["share"], 1);
  ASSERT_EQ(facts["distances"].size(), 4u);
  EXPECT_LT(facts["distances"][0][2], 0.5 * facts["distances"][0][1].get<double>());
  EXPECT_EQ(facts["distances"][1][3], facts["distances"][3][1]);
  EXPECT_EQ(facts["embedding"].size(), 4u);
  EXPECT_EQ(facts["reused"], Json({false, false, false, false}));
  for (const char* name :
       {"index.html", "distances.csv", "map.csv", "map.svg", "map.png", "pictures/ring1.png"})
    EXPECT_GT(std::filesystem::file_size(out(name)), 50u) << name;
  const Json& first = facts["correspondences"][0];
  EXPECT_EQ(first["to"], "creature1");
  EXPECT_LT(first["median_error"], 0.15);
  EXPECT_EQ(read_npy_matrix(out("correspondences/creature0-to-creature1.npy")).rows(), 400);
  EXPECT_FALSE(facts["correspondences"][1].contains("median_error"));

  const Json again = run_program(command + " --threads 1").json();
  EXPECT_EQ(again["reused"], Json({true, true, true, true}));
  EXPECT_EQ(again["distances"], facts["distances"]);
  const Json other = run_program("match" + shapes_ + " -o '" + out() + "' --landmarks 50 --json").json();
  EXPECT_EQ(other["reused"], Json({false, false, false, false}));
}

TEST_F(MatchCommand, MarksDistancesThatAreEstimated) {
  const std::string command = "match" + shapes_ + " -o '" + out() + "' --landmarks 60 --json";
  const Json all = run_program(command).json();
  EXPECT_EQ(all["aligned_pairs"], 6);
  EXPECT_FALSE(all.contains("estimated"));
  EXPECT_EQ(contents(out("distances.csv")).find('~'), std::string::npos);
  const Json some = run_program(command + " --candidates 1").json();
  EXPECT_EQ(some["nearest"], all["nearest"]);
  EXPECT_LT(some["aligned_pairs"], 6);
  int estimated = 0;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j)
      if (some["estimated"][i][j])
        ++estimated;
      else
        EXPECT_EQ(some["distances"][i][j], all["distances"][i][j]);
  EXPECT_EQ(estimated, 12 - 2 * some["aligned_pairs"].get<int>());
  const std::string table = contents(out("distances.csv"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '~'), estimated);
  EXPECT_NE(contents(out("index.html")).find("are estimated"), std::string::npos);
}

TEST_F(MatchCommand, TakesLabelsFromAFile) {
  folder_.write("labels.txt", "creature0 a\nring1 a\ncreature1 b\nring2 b\n");
  const std::string command = "match" + shapes_ + " -o '" + out() + "' --landmarks 60 --json --labels '";
  const Json facts = run_program(command + folder_ / "labels.txt" + "'").json();
  EXPECT_EQ(facts["category_accuracy"]["right"], 0);
  EXPECT_EQ(facts["category_accuracy"]["of"], 4);
  EXPECT_EQ(run_program(command + folder_ / "none.txt" + "'").exit_code, 2);
}

TEST_F(MatchCommand, RefusesBadUsageWithAReason) {
  for (const std::string& arguments :
       {"'" + folder_ / "ring1.off" + "' -o '" + out() + "'", shapes_, shapes_ + " -o '" + out() + "' --up w",
        shapes_ + " '" + folder_ / "none.off" + "' -o '" + out() + "'",
        shapes_ + " -o '" + folder_ / "ring1.off" + "'"}) {
    const ProgramResult result = run_program("match " + arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors, "") << arguments;
  }
}

}  // namespace
}  // namespace geodome::internal
