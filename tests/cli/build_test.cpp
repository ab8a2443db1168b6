#include <gtest/gtest.h>

#include <regex>

#include <cmath>

#include "geodome/file/matrix_file.h"
#include "geodome/shape/io/npy.h"
#include "run_program.h"

namespace geodome::internal {
namespace {

using namespace testing;

/// A folder with a shape and what `build` makes of it.
class BuildCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_program("shape sphere --vertices 642 -o " + in_quotes(shape)).exit_code, 0);
    built = run_program("build " + in_quotes(shape) + " -o " + in_quotes(file) + " --landmarks 80 --json");
    ASSERT_EQ(built.exit_code, 0) << built.errors;
  }

  TemporaryFolder folder;
  std::string shape = folder / "sphere.ply";
  std::string file = folder / "sphere.geodome";
  ProgramResult built;
};

TEST_F(BuildCommand, TellsWhatItDid) {
  const auto facts = built.json();
  EXPECT_EQ(facts["vertices"], 642);
  EXPECT_EQ(facts["landmarks"], 80);
  EXPECT_EQ(facts["file_bytes"], std::filesystem::file_size(file));
  EXPECT_LT(facts["bytes"], facts["file_bytes"]);
  EXPECT_GT(facts["peak_bytes"], 0);
  for (const char* stage : {"total", "geodesic", "landmark", "interpolation"})
    EXPECT_GE(facts["seconds"][stage], 0) << stage;
  const auto info = run_program("info --verify --json " + in_quotes(file)).json();
  EXPECT_EQ(info["bytes"], facts["bytes"]);
  EXPECT_EQ(info["landmarks"], 80);
  EXPECT_TRUE(info["nonzeros"].is_null());
  EXPECT_EQ(info["components"], 1);
  EXPECT_EQ(info["method"], "cell");
  EXPECT_EQ(info["recipe"], facts["recipe"]);
}

TEST_F(BuildCommand, RefusesMoreLandmarksThanVertices) {
  for (const char* count : {"643", "10000000"}) {  // of which W would not fit in memory
    const ProgramResult result = run_program("build " + in_quotes(shape) + " --landmarks " + count + " -o " +
                                             in_quotes(folder / "never"));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_PRED_FORMAT2(::testing::IsSubstring,
                        std::string(count) + " landmarks are more than the 642 vertices", result.errors);
  }
}

TEST_F(BuildCommand, MeasuresLandmarksOnACoarserMesh) {
  const std::string sbha = "build " + in_quotes(shape) + " --method sbha -l 40 --no-certificate ";
  const std::string to = " -o " + in_quotes(folder / "coarse.geodome");
  const auto facts = run_program(sbha + "--coarsen 4 --json" + to).json();
  EXPECT_EQ(facts["coarse_mesh"]["share"], 4);
  EXPECT_EQ(facts["coarse_mesh"]["vertices"], 160);
  EXPECT_GT(facts["coarse_mesh"]["mean_relative_error"], 0);
  EXPECT_EQ(facts["coarse_mesh"], facts["recipe"]["geodesic"]["coarse_mesh"]);
  EXPECT_EQ(facts["tried_meshes"].size(), 1u);
  EXPECT_NE(run_program(sbha + "--coarsen 4" + to).output.find("landmarks on a mesh of 160 vertices"),
            std::string::npos);
  EXPECT_EQ(run_program(sbha + "--coarsen 4 --json --dry-run").json()["coarsen"], 4);
  for (const char* none : {"auto", "off"}) {
    const auto plain = run_program(sbha + "--json --coarsen " + none + to).json();
    EXPECT_TRUE(plain["coarse_mesh"].is_null());
    EXPECT_FALSE(plain["recipe"]["geodesic"].contains("coarse_mesh"));
  }
}

TEST_F(BuildCommand, RefusesCoarserMeshesThatCannotBe) {
  const std::string build = "build " + in_quotes(shape) + " -l 40 -o " + in_quotes(folder / "no.geodome");
  for (const char* bad :
       {"--method sbha --coarsen 1", "--method sbha --coarsen 0", "--method sbha --coarsen -2",
        "--method sbha --coarsen 1025", "--method sbha --coarsen 2.5", "--method sbha --coarsen half",
        "--method sbha --coarsen ''", "--method sbha --coarsen 4 --geodesic exact",
        "--method cell --coarsen 4", "--method ctg --coarsen off"}) {
    const ProgramResult refused = run_program(build + " " + bad);
    EXPECT_EQ(refused.exit_code, 2) << bad;
    EXPECT_NE(refused.errors, "") << bad;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "no.geodome"));
}

TEST_F(BuildCommand, QueriesAgreeWithRowsAndWithMeasuring) {
  const auto query = run_program("query " + in_quotes(file) + " 3 500 3 3 41 7 --json").json();
  ASSERT_EQ(query["distances"].size(), 3u);
  EXPECT_EQ(query["distances"][1], 0);
  ASSERT_EQ(run_program("rows " + in_quotes(file) + " 3 41 -o " + in_quotes(folder / "r.npy")).exit_code, 0);
  const RowMatrix<double> rows = read_npy_matrix(folder / "r.npy");
  EXPECT_NEAR(rows(0, 500), query["distances"][0], 1e-12);
  EXPECT_NEAR(rows(1, 7), query["distances"][2], 1e-12);
  ASSERT_EQ(run_program("distances " + in_quotes(shape) + " --source 3,41 -o " + in_quotes(folder / "d.npy"))
                .exit_code,
            0);
  const RowMatrix<double> measured = read_npy_matrix(folder / "d.npy");
  EXPECT_LT((rows - measured).norm(), 0.02 * measured.norm());
}

TEST_F(BuildCommand, PairsMayComeFromAFile) {
  const std::string pairs = folder.write("pairs.txt", "# two pairs\n3 500\n41,7\n");
  const auto a = run_program("query " + in_quotes(file) + " --json --pairs " + in_quotes(pairs)).json();
  const auto b = run_program("query " + in_quotes(file) + " 3 500 41 7 --json").json();
  EXPECT_EQ(a["distances"], b["distances"]);
  ASSERT_EQ(run_program("query " + in_quotes(file) + " 3 500 -o " + in_quotes(folder / "q.csv")).exit_code,
            0);
  EXPECT_TRUE(contents(folder / "q.csv").starts_with("from,to,distance\n3,500,"));
}

TEST_F(BuildCommand, RefusesFilesThatAreNotPairs) {
  const std::pair<const char*, const char*> files[] = {
      {"0 1 5\n2 3 6\n", "line 1: expected two vertex numbers, got 3"},
      {"0 1\n2\n", "line 2: expected two vertex numbers, got 1"},
      {"from,to\n0,1\n", "line 1: expected two vertex numbers"},
      {"0 1\n3 999999\n", "pair 2: vertex 999999 is out of range"},
      {"# nothing\n", "contains no pairs"},
  };
  for (const auto& [content, message] : files) {
    const std::string pairs = folder.write("bad.txt", content);
    const ProgramResult refused = run_program("query " + in_quotes(file) + " --pairs " + in_quotes(pairs));
    EXPECT_EQ(refused.exit_code, 2) << content;
    EXPECT_NE(refused.errors.find(pairs), std::string::npos) << refused.errors;
    EXPECT_NE(refused.errors.find(message), std::string::npos) << refused.errors;
  }
}

TEST_F(BuildCommand, RefusesOutputsThatAreNamedLikeShapes) {
  const std::string mesh = folder.write("mesh.obj", "v 0 0 0\n");
  const ProgramResult refused = run_program("build " + in_quotes(shape) + " -o " + in_quotes(mesh));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_NE(refused.errors.find("has the extension of OBJ files"), std::string::npos) << refused.errors;
  EXPECT_EQ(contents(mesh), "v 0 0 0\n");
}

TEST_F(BuildCommand, RefusesOptionsOfOtherKindsOfShapes) {
  const std::string build = "build " + in_quotes(shape) + " -o " + in_quotes(folder / "never.geodome");
  for (const std::string option : {"--neighbours 5", "--perplexity 5", "--graph-weights unit"}) {
    const ProgramResult refused = run_program(build + " " + option);
    EXPECT_EQ(refused.exit_code, 2) << option;
    EXPECT_NE(refused.errors.find("(triangle mesh)"), std::string::npos) << refused.errors;
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "never.geodome"));
}

TEST_F(BuildCommand, NamesTheKindOfShapeAndAmbiguousRows) {
  const std::string edges = folder.write("ring.txt", "0 1 1\n1 2 1\n2 3 1\n3 0 1\n");
  const ProgramResult built =
      run_program("build " + in_quotes(edges) + " -l 2 -o " + in_quotes(folder / "ring.geodome"));
  EXPECT_EQ(built.exit_code, 0) << built.errors;
  EXPECT_NE(built.output.find("graph, 4 vertices"), std::string::npos) << built.output;
  EXPECT_NE(built.errors.find("was read as an edge list"), std::string::npos) << built.errors;
  EXPECT_NE(run_program("info " + in_quotes(edges)).output.find("was read as an edge list"),
            std::string::npos);
}

TEST_F(BuildCommand, NeighboursAreThoseOfTheRow) {
  const auto near = run_program("query " + in_quotes(file) + " 17 --nearest 5 --json").json();
  ASSERT_EQ(near["distances"][0].size(), 5u);
  const double fifth = near["distances"][0][4];
  const auto within =
      run_program("query " + in_quotes(file) + " 17 --json --radius " + std::to_string(fifth * 1.0001))
          .json();
  EXPECT_GE(within["neighbours"][0].size(), 6u);  // itself too
  EXPECT_EQ(within["neighbours"][0][0], 17);
}

TEST_F(BuildCommand, TheSameCommandGivesTheSameBytes) {
  const std::string other = folder / "other.geodome";
  ASSERT_EQ(
      run_program("build " + in_quotes(shape) + " -o " + in_quotes(other) + " --landmarks 80 --threads 1")
          .exit_code,
      0);
  EXPECT_EQ(contents(file), contents(other));
}

TEST_F(BuildCommand, PlansWithoutBuilding) {
  const std::string other = folder / "plan.geodome";
  const auto run =
      run_program("build " + in_quotes(shape) + " --landmarks 80 --dry-run --json -o " + in_quotes(other));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto plan = run.json();
  EXPECT_FALSE(std::filesystem::exists(other));
  EXPECT_EQ(plan["landmarks"], 80);
  EXPECT_GE(plan["file_bytes"], built.json()["file_bytes"]);
  EXPECT_LT(plan["file_bytes"], 2 * built.json()["file_bytes"].get<double>());
  EXPECT_GT(plan["seconds"]["total"], 0);
  EXPECT_GT(plan["peak_bytes"], 0);
}

TEST_F(BuildCommand, TheFileMaySayHowLargeItsErrorIs) {
  const std::string other = folder / "measured.geodome";
  const auto run = run_program("build " + in_quotes(shape) + " --landmarks 80 --evaluate 20 --json -o " +
                               in_quotes(other));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto error = run_program("info --json " + in_quotes(other)).json()["measured_error"];
  EXPECT_EQ(error["rows"], 20);
  EXPECT_GT(error["relative_error"], 0);
  EXPECT_LT(error["relative_error"], 1e-2);
  EXPECT_EQ(run.json()["measured_error"], error);
}

TEST_F(BuildCommand, EveryFileStatesItsErrorUnlessItIsNotMeasured) {
  const std::string certified = folder / "certified.geodome", bare = folder / "uncertified.geodome";
  const std::string start = "build " + in_quotes(shape) + " --landmarks 80 ";
  const auto run = run_program(start + "-o " + in_quotes(certified));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto facts = run_program("info --json " + in_quotes(certified)).json();
  const std::string sentence = facts["certificate"];
  EXPECT_TRUE(std::regex_match(
      sentence,
      std::regex("mean error .* %, 99 % of distances within .* %, measured on .* rows of exact distances")))
      << sentence;
  EXPECT_NE(run.output.find(sentence), std::string::npos);
  EXPECT_NE(run_program("info " + in_quotes(certified)).output.find(sentence), std::string::npos);
  const auto& error = facts["measured_error"];
  EXPECT_GE(error["rows"], 4);
  EXPECT_EQ(error["geodesic"], "exact");
  EXPECT_EQ(error["fresh"], true);
  EXPECT_LE(error["interval"][0], error["relative_error"]);
  EXPECT_GE(error["interval"][1], error["relative_error"]);
  EXPECT_EQ(error["by_distance"].size(), 8u);

  const auto without = run_program(start + "--no-certificate -o " + in_quotes(bare));
  ASSERT_EQ(without.exit_code, 0) << without.errors;
  EXPECT_NE(without.output.find("error not measured"), std::string::npos);
  EXPECT_TRUE(run_program("info --json " + in_quotes(bare)).json()["measured_error"].is_null());
  EXPECT_NE(run_program("info " + in_quotes(bare)).output.find("not measured"), std::string::npos);
  EXPECT_EQ(run_program(start + "--no-certificate --evaluate 5 -o " + in_quotes(bare)).exit_code, 2);

  const auto better = run_program("evaluate --rows 100 --store --json " + in_quotes(certified));
  ASSERT_EQ(better.exit_code, 0) << better.errors;
  const auto after = run_program("info --verify --json " + in_quotes(certified)).json();
  EXPECT_EQ(after["measured_error"]["rows"], 100);
  EXPECT_EQ(after["measured_error"]["relative_error"], better.json()["relative_error"]);
  EXPECT_EQ(after["bytes"], facts["bytes"]);
  EXPECT_EQ(run_program("query --json " + in_quotes(certified) + " 3 40").json()["distances"],
            run_program("query --json " + in_quotes(bare) + " 3 40").json()["distances"]);
  EXPECT_EQ(run_program("evaluate --store --raw " + in_quotes(certified)).exit_code, 2);
  EXPECT_EQ(run_program("evaluate --store --geodesic heat " + in_quotes(certified)).exit_code, 2);
}

TEST_F(BuildCommand, ReachesAWantedError) {
  const std::string other = folder / "wanted.geodome", again = folder / "again.geodome";
  const std::string start = "build " + in_quotes(shape) + " ";
  const auto run = run_program(start + "--mean-error 2% --error 1e-3 --json -o " + in_quotes(other));
  ASSERT_EQ(run.exit_code, 0) << run.errors;
  const auto facts = run.json();
  EXPECT_EQ(facts["target"]["met"], true);
  EXPECT_LE(facts["measured_error"]["interval"][1], 1e-3);
  EXPECT_LE(facts["measured_error"]["mean_interval"][1], 0.02);
  EXPECT_EQ(facts["recipe"]["target"]["mean_relative_error"], 0.02);
  // The recipe gives the same file, but for the target.
  const std::string rows = std::to_string(facts["measured_error"]["rows"].get<int>());
  const auto same = run_program(start + "--landmarks " + std::to_string(facts["landmarks"].get<int>()) +
                                " --evaluate " + rows + " --json -o " + in_quotes(again));
  ASSERT_EQ(same.exit_code, 0) << same.errors;
  EXPECT_EQ(same.json()["measured_error"], facts["measured_error"]);
  EXPECT_EQ(same.json()["bytes"], facts["bytes"]);

  const std::string never = folder / "never.geodome";
  const auto failed = run_program(start + "--mean-error 0.01% --geodesic heat -o " + in_quotes(never));
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_NE(failed.errors.find("was not reached"), std::string::npos);
  EXPECT_NE(failed.errors.find("vertices would be needed"), std::string::npos) << failed.errors;
  EXPECT_FALSE(std::filesystem::exists(never));
  EXPECT_EQ(run_program(start + "--mean-error 0.01% --geodesic heat --yes -o " + in_quotes(never)).exit_code,
            0);
  EXPECT_TRUE(std::filesystem::exists(never));

  const auto plan = run_program(start + "--mean-error 0.02 --dry-run --json");
  ASSERT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_GT(plan.json()["landmarks"], 0);
  for (const char* wrong : {"--error 0", "--error 1.5", "--mean-error 200%", "--mean-error much",
                            "--error 1e-5 --no-certificate", "--error 1e-5 --method ctg"})
    EXPECT_EQ(run_program(start + wrong + " -o " + in_quotes(never)).exit_code, 2) << wrong;
}

TEST_F(BuildCommand, WithoutTheShapeItStillAnswers) {
  const std::string other = folder / "bare.geodome";
  ASSERT_EQ(run_program("build " + in_quotes(shape) + " --landmarks 80 --no-shape -o " + in_quotes(other))
                .exit_code,
            0);
  const auto bare = run_program("query " + in_quotes(other) + " 3 500 --json").json();
  const auto full = run_program("query " + in_quotes(file) + " 3 500 --json").json();
  EXPECT_EQ(bare["distances"], full["distances"]);
  EXPECT_LT(std::filesystem::file_size(other), std::filesystem::file_size(file));
}

TEST_F(BuildCommand, BadInputIsRefusedAndLeavesTheOldFile) {
  const std::string before = contents(file);
  for (const std::string arguments :
       {"--landmarks 100000", "--geodesic nonsense", "--method nonsense", "--precision int3", "--nonzeros 0",
        "--mask /nowhere", "--distances /nowhere", "--landmark-file /nowhere", "--landmark-method given"}) {
    const auto run = run_program("build " + in_quotes(shape) + " -o " + in_quotes(file) + " " + arguments);
    EXPECT_EQ(run.exit_code, 2) << arguments << run.errors;
    EXPECT_NE(run.errors, "") << arguments;
  }
  EXPECT_EQ(contents(file), before);
  EXPECT_EQ(run_program("query " + in_quotes(shape) + " 0 1").exit_code, 2);
  EXPECT_EQ(run_program("query " + in_quotes(file) + " 0").exit_code, 2);
  EXPECT_EQ(run_program("query " + in_quotes(file) + " 0 642").exit_code, 2);
  EXPECT_EQ(run_program("rows " + in_quotes(file) + " -o " + in_quotes(folder / "r.npy")).exit_code, 2);
  EXPECT_EQ(run_program("rows " + in_quotes(file) + " 1 -o " + in_quotes(folder / "r.nonsense")).exit_code,
            2);
}

TEST_F(BuildCommand, SaysWhichMethodsAFileCanHold) {
  for (const char* rival : {"exact", "nystrom", "fmds", "smds", "lmds", "pivot", "hybrid"}) {
    const auto run = run_program("build " + in_quotes(shape) + " --method " + rival + " -o " +
                                 in_quotes(folder / "r.geodome"));
    EXPECT_EQ(run.exit_code, 2) << rival;
    for (const char* said : {rival, "bha", "sbha", "ctg", "spectrometer", "evaluate", "compare"})
      EXPECT_NE(run.errors.find(said), std::string::npos) << run.errors;
  }
}

TEST_F(BuildCommand, KillingItLeavesTheOldFileOrTheNewOne) {
  const std::string old = contents(file);
  for (int hundredths = 1; hundredths < 40; hundredths += 3) {
    std::ostringstream line;
    line << "timeout -s KILL " << hundredths / 100.0 << " " << tested_program << " build " << in_quotes(shape)
         << " --landmarks 90 -q -o " << in_quotes(file) << " >/dev/null 2>&1";
    const int status = std::system(line.str().c_str());
    if (contents(file) == old) continue;
    EXPECT_NO_THROW(MatrixFile::open(file).verify()) << status;
  }
}

TEST_F(BuildCommand, KilledAndStartedAgainItEndsWithTheSameBytes) {
  const std::string options = " --landmarks 160 --save-every 8 --json -o ";
  const ProgramResult whole =
      run_program("build " + in_quotes(shape) + options + in_quotes(folder / "whole"));
  ASSERT_EQ(whole.exit_code, 0) << whole.errors;
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
    EXPECT_EQ(contents(resumed), contents(folder / "whole"));
    EXPECT_FALSE(std::filesystem::exists(progress));
  }
  EXPECT_TRUE(left_progress);
}

TEST_F(BuildCommand, LandmarkDistancesInAFileGiveTheSameBytes) {
  for (const char* method : {"sbha", "bha", "sbha --precision uint16"}) {
    const std::string command =
        "build " + in_quotes(shape) + " --landmarks 60 --json --method " + method + " -o ";
    const ProgramResult memory = run_program(command + in_quotes(folder / "memory"));
    ASSERT_EQ(memory.exit_code, 0) << memory.errors;
    EXPECT_EQ(memory.json()["scratch_bytes"], 0);
    const ProgramResult scratch =
        run_program(command + in_quotes(folder / "scratch") + " --landmark-memory 0");
    ASSERT_EQ(scratch.exit_code, 0) << scratch.errors;
    EXPECT_GE(scratch.json()["scratch_bytes"], 2 * 60 * 61 / 2);
    EXPECT_EQ(contents(folder / "scratch"), contents(folder / "memory"));
  }
  for (const auto& one : std::filesystem::directory_iterator(folder.path()))
    EXPECT_NE(one.path().extension(), ".tmp");
  const std::string plan = "build " + in_quotes(shape) + " --dry-run --method sbha --landmarks 60";
  EXPECT_EQ(run_program(plan).output.find("disk"), std::string::npos);
  EXPECT_NE(run_program(plan + " --landmark-memory 0").output.find("disk"), std::string::npos);
  EXPECT_EQ(run_program(plan + " --json").json()["scratch_bytes"], 0);
  EXPECT_EQ(run_program(plan + " --json --landmark-memory 0").json()["scratch_bytes"], 4 * 60 * 61 / 2);
  const ProgramResult cell =
      run_program("build " + in_quotes(shape) + " --landmark-memory 1 -o " + in_quotes(file));
  EXPECT_EQ(cell.exit_code, 2);
  EXPECT_NE(cell.errors.find("--landmark-memory applies to the method sbha or bha"), std::string::npos);
}

TEST_F(BuildCommand, ProgressOfAnotherBuildIsNotUsed) {
  const std::string progress = folder / "other.geodome.progress";
  std::ofstream(progress) << "geodome progress 1\n3\nkey\n";
  const std::string command = "build " + in_quotes(shape) + " --landmarks 40 --json -o ";
  const ProgramResult other = run_program(command + in_quotes(folder / "other.geodome"));
  ASSERT_EQ(other.exit_code, 0) << other.errors;
  EXPECT_EQ(other.json()["recalled_landmarks"], 0);
  EXPECT_FALSE(std::filesystem::exists(progress));
}

TEST_F(BuildCommand, AFileThatIsNoProgressStaysAsItIs) {
  const std::string other = folder / "other.geodome", progress = other + ".progress";
  folder.write("other.geodome.progress", "my notes");
  for (const char* options : {"", " --fresh", " --save-every 8"}) {
    const ProgramResult run =
        run_program("build " + in_quotes(shape) + " --landmarks 40 -o " + in_quotes(other) + options);
    EXPECT_EQ(run.exit_code, 0) << run.errors;
    EXPECT_EQ(contents(progress), "my notes");
    EXPECT_FALSE(std::filesystem::exists(progress + "-1"));
  }
}

TEST(BuildCommands, AnswerForEveryKindOfShape) {
  const TemporaryFolder folder;
  const std::string graph =
      folder.write("graph.txt", "10 20 1\n20 30 1\n30 40 1.5\n40 10 2\n40 50 1\n60 70 1\n");
  const auto built =
      run_program("build " + in_quotes(graph) + " -l 7 -o " + in_quotes(folder / "g.geodome") + " --json");
  ASSERT_EQ(built.exit_code, 0) << built.errors;
  EXPECT_EQ(built.json()["components"], 2);
  const auto query =
      run_program("query " + in_quotes(folder / "g.geodome") + " 10 60 60 60 60 70 --json").json();
  EXPECT_TRUE(query["distances"][0].is_null());  // infinite: another component
  EXPECT_EQ(query["distances"][1], 0);
  EXPECT_EQ(query["distances"][2], 1);
  EXPECT_EQ(run_program("query " + in_quotes(folder / "g.geodome") + " 0 1").exit_code,
            2);  // no such numbers
}

}  // namespace
}  // namespace geodome::internal
