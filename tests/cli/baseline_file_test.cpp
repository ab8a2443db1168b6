// Files of methods that are not P W Pᵀ, through every command.

#include <gtest/gtest.h>

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/io/npy.h"
#include "run_program.h"

namespace geodome::internal {
namespace {

using namespace testing;
using ::testing::IsSubstring;

/// A sphere, and a file of it by the method that is the parameter.
class BaselineFile : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    ASSERT_EQ(run("shape sphere --vertices 642 -o " + shape).exit_code, 0);
    built = build("--landmarks 60 --seed 3 --json -o " + file);
    ASSERT_EQ(built.exit_code, 0) << built.errors;
  }

  static ProgramResult run(const std::string& line) { return run_program(line); }
  /// `geodome build` by the method of the test.
  ProgramResult build(const std::string& options) const {
    return run_program("build " + shape + " --method " + GetParam() + " " + options);
  }
  RowMatrix<double> matrix_in(const std::string& name) const { return read_npy_matrix(folder / name); }
  std::string path(const std::string& name) const { return "'" + folder / name + "'"; }

  TemporaryFolder folder;
  std::string shape = "'" + folder / "sphere.ply" + "'", file = "'" + folder / "sphere.geodome" + "'";
  ProgramResult built;
};

TEST_P(BaselineFile, SaysWhatItIs) {
  const auto facts = built.json();
  EXPECT_EQ(facts["method"], GetParam());
  EXPECT_EQ(facts["vertices"], 642);
  EXPECT_GE(facts["landmarks"], 60);
  EXPECT_EQ(facts["file_bytes"], std::filesystem::file_size(folder / "sphere.geodome"));
  EXPECT_GT(facts["peak_bytes"], 0);
  EXPECT_GT(facts["seconds"]["total"], 0);
  const ProgramResult info = run("info --verify --json " + file);
  ASSERT_EQ(info.exit_code, 0) << info.errors;
  EXPECT_EQ(info.json()["verified"], true);
  for (const char* same : {"method", "vertices", "components", "landmarks", "bytes", "file_bytes", "recipe"})
    EXPECT_EQ(info.json()[same], facts[same]) << same;
  EXPECT_TRUE(info.json()["nonzeros"].is_null());
  EXPECT_PRED_FORMAT2(IsSubstring, GetParam(), run("info " + file).output);
  EXPECT_PRED_FORMAT2(IsSubstring, "times smaller", build("-l 60 -o " + path("t")).output);
}

TEST_P(BaselineFile, AnswersQueriesFromItsRows) {
  const ProgramResult asked = run("query " + file + " 3 500 3 3 500 3 --json");
  ASSERT_EQ(asked.exit_code, 0) << asked.errors;
  const auto distances = asked.json()["distances"];
  ASSERT_EQ(run("rows " + file + " 3 41 -o " + path("r.npy")).exit_code, 0);
  const RowMatrix<double> rows = matrix_in("r.npy");
  EXPECT_EQ(distances[0], rows(0, 500));
  EXPECT_EQ(distances[1], 0);
  EXPECT_EQ(distances[2], distances[0]);
  const auto near = run("query " + file + " 41 --nearest 5 --json").json();
  ASSERT_EQ(near["distances"][0].size(), 5u);
  const double fifth = near["distances"][0][4];
  Index nearer = 0;
  for (Index v = 0; v < 642; ++v) nearer += v != 41 && rows(1, v) < fifth;
  EXPECT_LE(nearer, 4);
  for (std::size_t k = 0; k < 5; ++k)
    EXPECT_EQ(near["distances"][0][k], rows(1, near["neighbours"][0][k].get<Index>()));
  const auto within = run("query " + file + " 41 --radius 0.5 --json").json();
  EXPECT_EQ(static_cast<Eigen::Index>(within["distances"][0].size()), (rows.row(1).array() <= 0.5).count());
}

TEST_P(BaselineFile, IsMeasuredAsTheMethodInMemoryIs) {
  const std::string how = " --rows 40 --seed 3 --json";
  const ProgramResult stored = run("evaluate " + file + " " + shape + how);
  ASSERT_EQ(stored.exit_code, 0) << stored.errors;
  const auto in_memory = run("evaluate " + shape + " --method " + GetParam() + " -l 60" + how).json();
  for (const char* same : {"relative_error", "mean_relative_error", "max_relative_error", "rows"})
    EXPECT_EQ(stored.json()[same], in_memory[same]) << same;
  const auto noted = build("-l 60 --seed 3 --evaluate 40 --json -o " + path("noted")).json();
  EXPECT_EQ(noted["measured_error"]["relative_error"], in_memory["relative_error"]);
  EXPECT_EQ(run("info --json " + path("noted")).json()["measured_error"], noted["measured_error"]);
}

TEST_P(BaselineFile, ExportsWhatNeedsRowsAlone) {
  ASSERT_EQ(run("export " + file + " --to npy --precision float64 -o " + path("K.npy")).exit_code, 0);
  const RowMatrix<double> K = matrix_in("K.npy");
  EXPECT_EQ(K.rows(), 642);
  EXPECT_EQ(K, K.transpose());
  ASSERT_EQ(run("export " + file + " --to brainsmash --neighbours 20 -o " + path("b")).exit_code, 0);
  const RowMatrix<double> near = matrix_in("b/distmat.npy");
  for (Index v = 0; v < 642; v += 80) {
    Eigen::RowVectorXd row = K.row(v);
    row[v] = -1;  // itself comes first, also where a neighbour is as near
    std::sort(row.begin(), row.end());
    for (Index k = 1; k <= 20; ++k) EXPECT_NEAR(near(v, k), row[k], 1e-6);
  }
  EXPECT_EQ(run("export " + file + " --to mat -o " + path("K.mat")).exit_code, 0);
  const ProgramResult factors = run("export " + file + " --to mtx -o " + path("f"));
  EXPECT_EQ(factors.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, GetParam(), factors.errors);
}

TEST_P(BaselineFile, HasACanonicalForm) {
  const ProgramResult form = run("embed " + file + " -o " + path("z.npy") + " --json");
  ASSERT_EQ(form.exit_code, 0) << form.errors;
  EXPECT_EQ(form.json()["landmarks"], built.json()["landmarks"]);
  // A sphere's is a sphere: as far from the middle everywhere, and as good as the exact one.
  const RowMatrix<double> Z = matrix_in("z.npy");
  const Vector radius = Z.rowwise().norm();
  EXPECT_GT(radius.minCoeff(), 0.8 * radius.maxCoeff());
  EXPECT_EQ(run("embed " + file + " --method bmds -o " + path("z.npy")).exit_code, 2);
}

TEST_P(BaselineFile, IsRefusedWhereTheFactorsAreNeeded) {
  const ProgramResult page = run("view " + file + " --output " + path("page.html"));
  EXPECT_EQ(page.exit_code, 2);
  for (const char* said : {"view", "P W P", "sbha"}) EXPECT_PRED_FORMAT2(IsSubstring, said, page.errors);
}

TEST_P(BaselineFile, IsTheSameOnAnyNumberOfThreadsAndOfEitherKind) {
  ASSERT_EQ(build("-l 60 --seed 3 --threads 1 -o " + path("one")).exit_code, 0);
  EXPECT_EQ(contents(folder / "one"), contents(folder / "sphere.geodome"));
  ASSERT_EQ(build("-l 60 --seed 3 --squared --no-shape -o " + path("squared")).exit_code, 0);
  const auto plain = run("query " + file + " 3 500 7 8 --json").json()["distances"];
  const auto squared = run("query " + path("squared") + " 3 500 7 8 --json").json()["distances"];
  for (int k = 0; k < 2; ++k) EXPECT_NEAR(squared[k], plain[k], 1e-12);
  EXPECT_EQ(run("info --json " + path("squared")).json()["values"], "squared");
}

TEST_P(BaselineFile, IsPlannedBeforeItIsBuilt) {
  const ProgramResult plan = build("-l 60 --dry-run --json");
  ASSERT_EQ(plan.exit_code, 0) << plan.errors;
  EXPECT_GE(plan.json()["bytes"], built.json()["bytes"]);
  EXPECT_GE(plan.json()["file_bytes"], built.json()["file_bytes"]);
  EXPECT_GT(plan.json()["seconds"]["total"], 0);
}

TEST_P(BaselineFile, RefusesOptionsOfOtherMethods) {
  const bool ctg = GetParam() == "ctg";
  for (const std::string option : {"--nonzeros 20", "--precision uint16", "--solver plain",
                                   ctg ? "--eigenvectors 30" : "--repair 0.1"}) {
    const ProgramResult result = build(option + " -o " + path("x"));
    EXPECT_EQ(result.exit_code, 2) << option;
    EXPECT_PRED_FORMAT2(IsSubstring, option.substr(0, option.find(' ')), result.errors);
  }
  const std::string own = ctg ? "--repair 0.1" : "--eigenvectors 30";
  EXPECT_EQ(build(own + " -l 60 -o " + path("x")).exit_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, BaselineFile, ::testing::Values("ctg", "spectrometer"),
                         [](const auto& one) { return one.param; });

TEST(BaselineFiles, OfGraphsKeepTheirNumbers) {
  const TemporaryFolder folder;
  std::string lines;
  for (int k = 0; k < 60; ++k) lines += text(100 + k, ' ', 100 + (k + 1) % 60, " 1\n");
  const std::string graph = folder.write("ring.txt", lines), file = folder / "ring.geodome";
  ASSERT_EQ(run_program("build '" + graph + "' --method spectrometer -o '" + file + "'").exit_code, 0);
  const ProgramResult asked = run_program("query '" + file + "' 100 130 --json");
  ASSERT_EQ(asked.exit_code, 0) << asked.errors;
  EXPECT_NEAR(asked.json()["distances"][0], 30, 3);
  EXPECT_EQ(run_program("query '" + file + "' 3 4").exit_code, 2);
  const ProgramResult ctg = run_program("build '" + graph + "' --method ctg -o '" + folder / "c" + "'");
  EXPECT_EQ(ctg.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "surface", ctg.errors);
}

}  // namespace
}  // namespace geodome::internal
