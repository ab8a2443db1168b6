#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "geodome/base/error.h"
#include "geodome/evaluation/distance_error.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/geodome.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using ::testing::IsSubstring;

class Evaluate : public ::testing::Test {
 protected:
  Evaluate() {
    write_shape(torus_, shape_);
    build(shape_, file_, "--landmarks 40 --nonzeros 12");
  }

  static void build(const std::string& shape, const std::string& file, const std::string& options) {
    const ProgramResult built = run_program("build '" + shape + "' -q -o '" + file + "' " + options);
    EXPECT_EQ(built.exit_code, 0) << built.errors;
  }
  ProgramResult evaluate(const std::string& rest) const {
    return run_program("evaluate '" + file_ + "' " + rest);
  }

  const TriangleMesh torus_ = make_torus(30, 15);
  const TemporaryFolder folder_;
  const std::string shape_ = folder_ / "torus.off", file_ = folder_ / "torus.geodome";
};

TEST_F(Evaluate, GivesTheLibrarysFigures) {
  const auto matrix_file = MatrixFile::open(file_);
  const LandmarkMatrix& matrix = *matrix_file.matrix().landmark_matrix();
  GeodesicOptions exact;
  exact.method = GeodesicMethod::exact;
  const auto solver = make_solver(torus_, exact);
  const ErrorOptions options{50, 9, spacing_bands(matrix)};
  const Distances distances = open(file_);
  for (const bool raw : {false, true}) {
    const ErrorReport expected =
        measure_error(raw ? distances.matrix() : distances.queries(), *solver, options);
    const ProgramResult result =
        evaluate(text("'", shape_, "' --rows 50 --seed 9 --json", raw ? " --raw" : ""));
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto facts = result.json();
    EXPECT_EQ(facts["rows"], 50);
    EXPECT_EQ(facts["vertices"], 450);
    EXPECT_EQ(facts["geodesic"], "exact");
    EXPECT_EQ(facts["form"], raw ? "raw" : "near-field");
    EXPECT_EQ(facts["relative_error"], expected.relative_error);
    EXPECT_EQ(facts["mean_relative_error"], expected.mean_relative_error);
    EXPECT_EQ(facts["median_relative_error"], expected.median_relative_error);
    EXPECT_EQ(facts["p99_relative_error"], expected.p99_relative_error);
    EXPECT_EQ(facts["max_relative_error"], expected.max_relative_error);
    EXPECT_EQ(facts["interval"][1], expected.interval.high);
    EXPECT_EQ(facts["by_distance"].size(), options.bands.size());
    EXPECT_EQ(facts["by_distance"][2]["pairs"], expected.by_band[2].pairs);
    EXPECT_EQ(facts["by_distance"][2]["mean_relative_error"], expected.by_band[2].mean_relative_error);
    EXPECT_TRUE(facts["by_distance"].back()["to"].is_null());
  }
}

TEST_F(Evaluate, TakesTheShapeFromTheFileWhereItIsThere) {
  const ProgramResult with = evaluate("'" + shape_ + "' --rows 20 --json"),
                      without = evaluate("--rows 20 --json");
  EXPECT_EQ(without.json()["relative_error"], with.json()["relative_error"]);
  build(shape_, file_, "--landmarks 40 --no-shape");
  const ProgramResult nothing = evaluate("--rows 20");
  EXPECT_EQ(nothing.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "pass the shape", nothing.errors);
}

TEST_F(Evaluate, AllRowsLeaveNoDoubt) {
  const auto facts = evaluate("--rows 0 --geodesic edges --json").json();
  EXPECT_EQ(facts["rows"], 450);
  EXPECT_EQ(facts["geodesic"], "edges");
  EXPECT_EQ(facts["interval"][0], facts["relative_error"]);
}

TEST_F(Evaluate, MeasuresGraphsAlongTheirEdges) {
  std::string edges;
  for (int k = 1; k < 60; ++k) edges += text(10 * k - 10, " ", 10 * k, " 1\n");
  build(folder_.write("path.txt", edges), file_, "--landmarks 30");
  const ProgramResult result = evaluate("--rows 0 --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["geodesic"], "edges");
  EXPECT_LT(result.json()["mean_relative_error"], 0.1);
}

TEST_F(Evaluate, RefusesAnotherShape) {
  TriangleMesh moved = torus_;
  moved.points(7, 1) += 1e-6;
  write_shape(moved, folder_ / "moved.off");
  const ProgramResult result = evaluate("'" + folder_ / "moved.off" + "'");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_PRED_FORMAT2(IsSubstring, "another shape", result.errors);
}

TEST_F(Evaluate, MeasuresAroundWhatAMaskLeftOut) {
  std::string mask;
  for (int v = 0; v < 450; ++v) mask += v < 60 ? "0\n" : "1\n";
  build(shape_, file_, "--landmarks 100 --mask '" + folder_.write("mask.txt", mask) + "'");
  const auto facts = evaluate("--rows 0 --json").json();
  EXPECT_EQ(facts["infinite_pairs"], 450 * 449 - 390 * 389);
  EXPECT_EQ(facts["pairs"], 390 * 389);
  EXPECT_LT(facts["mean_relative_error"], 0.1);
}

TEST_F(Evaluate, ComparesGivenDistancesWithGivenDistances) {
  std::vector<Index> all(450);
  std::iota(all.begin(), all.end(), 0);
  RowMatrix<double> K(450, 450);
  GeodesicOptions edges;
  edges.method = GeodesicMethod::graph;
  make_solver(torus_, edges)->distances(all, K);
  write_npy(K, folder_ / "K.npy");
  build(shape_, file_, "--landmarks 100 --distances '" + folder_ / "K.npy" + "'");
  EXPECT_EQ(evaluate("").exit_code, 2);
  const ProgramResult result = evaluate("--distances '" + folder_ / "K.npy" + "' --rows 0 --json");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.json()["geodesic"], "given");
  EXPECT_LT(result.json()["mean_relative_error"], 0.1);
}

TEST_F(Evaluate, BuildsAMethodInMemoryWhereNoFileCanHoldIt) {
  for (const char* method : {"ctg", "spectrometer", "sbha"}) {
    const std::string line =
        text("evaluate '", shape_, "' --method ", method, " --landmarks 60 --rows 30 --seed 3");
    const ProgramResult result = run_program(line + " --json");
    ASSERT_EQ(result.exit_code, 0) << result.errors;
    const auto facts = result.json();
    EXPECT_EQ(facts["method"], method);
    EXPECT_GE(facts["landmarks"], 60);
    EXPECT_EQ(facts["rows"], 30);
    EXPECT_GT(facts["bytes"], 0);
    EXPECT_GT(facts["build_seconds"]["total"], 0);
    EXPECT_GT(facts["relative_error"], 0);
    EXPECT_LT(facts["relative_error"], 0.1) << method;
    EXPECT_PRED_FORMAT2(IsSubstring, "relative error", run_program(line).output);
  }
  EXPECT_EQ(run_program(text("evaluate '", shape_, "' --method nonsense")).exit_code, 2);
  EXPECT_EQ(run_program(text("evaluate '", shape_, "' --method ctg --raw")).exit_code, 2);
  EXPECT_EQ(evaluate("--landmarks 50").exit_code, 2);
}

TEST_F(Evaluate, TellsPeopleToo) {
  const ProgramResult result = evaluate("--rows 20");
  EXPECT_EQ(result.exit_code, 0);
  for (const char* words :
       {"20 of 450 rows against 'exact'", "relative error", "95 %", "0 to 0.5", "5 to 10"})
    EXPECT_PRED_FORMAT2(IsSubstring, words, result.output);
  EXPECT_EQ(evaluate("--rows 20 --quiet").output, "");
}

}  // namespace
}  // namespace geodome::internal
