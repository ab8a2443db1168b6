#include <gtest/gtest.h>

#include <filesystem>

#include "cli/run_program.h"
#include "geodome/base/error.h"
#include "geodome/geodome.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using ::testing::IsSubstring;
using Json = nlohmann::json;

class Export : public ::testing::Test {
 protected:
  Export() {
    write_shape(torus_, folder_ / "torus.off");
    const ProgramResult built = run_program("build '" + folder_ / "torus.off" + "' -q --landmarks 40 -o '" +
                                            folder_ / "torus.geodome" + "'");
    EXPECT_EQ(built.exit_code, 0) << built.errors;
  }

  ProgramResult write(const std::string& format, const std::string& output,
                      const std::string& rest = "") const {
    return run_program("export '" + folder_ / "torus.geodome" + "' --to " + format + " -o '" +
                       folder_ / output + "' " + rest);
  }

  const TriangleMesh torus_ = make_torus(30, 15);
  const TemporaryFolder folder_;
};

TEST_F(Export, NpyHoldsWhatTheLibraryGives) {
  const Distances file = open(folder_ / "torus.geodome");
  for (const QueryMode form : {QueryMode::near_field, QueryMode::blend, QueryMode::raw}) {
    const ProgramResult result =
        write("npy", "K.npy",
              text("--precision float64 --json", form == QueryMode::raw     ? " --raw"
                                                 : form == QueryMode::blend ? " --near blend"
                                                                            : ""));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    EXPECT_EQ(result.json()["files"], Json({folder_ / "K.npy"}));
    const RowMatrix<double> K = read_npy_matrix(folder_ / "K.npy");
    const Distances distances = file.with(form);
    for (Index i = 0; i < 450; i += 50)
      EXPECT_LT((K.row(i).transpose() - distances.row(i)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST_F(Export, NearDistancesAreEstimatedOnRequestAndWithoutTheShape) {
  const std::string whole = folder_ / "torus.geodome", bare = folder_ / "bare.geodome";
  const Distances distances = open(whole);
  distances.save(bare, {.shape = false});
  const auto query = [](const std::string& file, const std::string& rest) {
    const ProgramResult result = run_program("query '" + file + "' 0 1 " + rest);
    EXPECT_EQ(result.exit_code, 0) << result.errors;
    return result;
  };
  const auto exact = query(whole, "--json"), blend = query(whole, "--near blend --json");
  EXPECT_EQ(exact.json()["form"], "near-field");
  EXPECT_EQ(exact.json()["distances"][0], distances.distance(0, 1));
  EXPECT_EQ(blend.json()["form"], "near-blend");
  EXPECT_EQ(blend.json()["distances"][0], distances.with(QueryMode::blend).distance(0, 1));
  EXPECT_EQ(exact.errors + blend.errors, "");
  const auto without = query(bare, "--json");
  EXPECT_EQ(without.json()["form"], "near-blend");
  EXPECT_PRED_FORMAT2(IsSubstring, "does not contain the shape: near distances are estimated",
                      without.errors);
  EXPECT_EQ(query(bare, "--json --quiet").errors, "");
  EXPECT_EQ(query(bare, "--json --near blend").errors, "");
  EXPECT_EQ(run_program("query '" + whole + "' 0 1 --near blend --raw").exit_code, 2);
  EXPECT_EQ(run_program("query '" + whole + "' 0 1 --near some").exit_code, 2);
}

TEST_F(Export, NamesEveryFile) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> expected{
      {"csv", {"out"}},
      {"mat", {"out"}},
      {"brainsmash", {"out/distmat.npy", "out/index.npy"}},
      {"mtx", {"out/P.mtx", "out/W.mtx", "out/landmarks.mtx"}}};
  for (const auto& [format, names] : expected) {
    std::filesystem::remove_all(folder_ / "out");
    const ProgramResult result = write(format, "out", "--json");
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    Json files = Json::array();
    for (const std::string& name : names) {
      files.push_back(folder_ / name);
      EXPECT_TRUE(std::filesystem::is_regular_file(folder_ / name)) << name;
    }
    EXPECT_EQ(result.json()["files"], files);
    EXPECT_EQ(write(format, "out", "--quiet").output, "");
  }
}

TEST_F(Export, SaysHowMuchAndWantsConsent) {
  // A path of 12,000 vertices: more than 1 GiB of distances from a file that is built in no time.
  std::string edges;
  for (int k = 1; k < 12000; ++k) edges += text(k - 1, " ", k, " 1\n");
  folder_.write("path.txt", edges);
  ASSERT_EQ(run_program("build '" + folder_ / "path.txt" + "' -q --landmarks 20 -o '" +
                        folder_ / "torus.geodome" + "'")
                .exit_code,
            0);
  const ProgramResult result = write("npy", "K.npy", "--precision float64");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "1,152,000,000 bytes", result.errors);
  EXPECT_PRED_FORMAT2(IsSubstring, "--yes", result.errors);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "K.npy"));
}

TEST_F(Export, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(write("xls", "K.xls").exit_code, 2);
  EXPECT_EQ(write("npy", "K.npy", "--precision float16").exit_code, 2);
  EXPECT_EQ(write("npy", "K.csv").exit_code, 2);
  EXPECT_EQ(write("csv", "K.npy").exit_code, 2);
  EXPECT_EQ(write("mat", "K.pdf").exit_code, 2);
  EXPECT_EQ(
      run_program("export '" + folder_ / "torus.off" + "' --to npy -o '" + folder_ / "K.npy" + "'").exit_code,
      2);
}

}  // namespace
}  // namespace geodome::internal
