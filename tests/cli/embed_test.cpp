#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "cli/run_program.h"
#include "geodome/embedding/embedding.h"
#include "geodome/embedding/stress.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/read.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using Json = nlohmann::json;

ProgramResult embed_command(const std::string& input, const std::string& options) {
  return run_program("embed '" + input + "' " + options);
}

class EmbedCommand : public ::testing::Test {
 protected:
  EmbedCommand() { write_shape(torus_, path_); }

  const TriangleMesh torus_ = make_torus(26, 12);
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "torus.off";
};

TEST_F(EmbedCommand, EqualsTheLibraryAndReportsItsQuality) {
  const ProgramResult result = embed_command(
      path_, "--landmarks 60 --json -o '" + folder_ / "z.npy" + "' -o '" + folder_ / "z.csv" + "'");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  EXPECT_EQ(result.errors, "");
  BuildOptions options;
  options.landmarks.count = 60;
  options.kind = DistanceKind::squared;
  const Embedding expected = embed(*build_matrix(torus_, options).matrix);
  EXPECT_EQ(read_npy_matrix(folder_ / "z.npy"), expected.Z);
  EXPECT_EQ(std::get<Samples>(read_shape(folder_ / "z.csv")).values, expected.Z);
  const Json facts = result.json();
  ASSERT_EQ(facts["eigenvalues"].size(), 3u);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(facts["eigenvalues"][k], expected.components[0].eigenvalues[k]);
  EXPECT_LE(facts["residuals"][0], 1e-6);
  const auto solver = make_solver(torus_);
  const FullMatrix full = full_matrix(*solver, DistanceKind::squared, std::int64_t{1} << 30);
  const Stress fresh = stress(expected.Z, expected.component, squared_rows(full));
  EXPECT_EQ(facts["stress"], fresh.value);
  EXPECT_EQ(facts["stress_is_exact"], true);
  EXPECT_GT(facts["stress_above_exact"], 0);
  EXPECT_NE(facts["model_stress"], facts["stress"]);
  EXPECT_GT(facts["seconds"]["total"], 0);
}

TEST_F(EmbedCommand, WritesFormsAndColouredShapes) {
  ASSERT_EQ(embed_command(path_, "-q --landmarks 60 --stress-rows 0 -o '" + folder_ / "form.ply" + "' -o '" +
                                     folder_ / "z.npy" + "' -o '" + folder_ / "form.png" + "' --coloured '" +
                                     folder_ / "coloured.ply" + "'")
                .exit_code,
            0);
  const auto form = std::get<TriangleMesh>(read_shape(folder_ / "form.ply"));
  EXPECT_EQ(form.triangles, torus_.triangles);
  EXPECT_EQ(RowMatrix<double>(form.points), read_npy_matrix(folder_ / "z.npy"));
  const auto coloured = std::get<TriangleMesh>(read_shape(folder_ / "coloured.ply"));
  EXPECT_EQ(coloured.points, torus_.points);
  EXPECT_GT(std::filesystem::file_size(folder_ / "form.png"), 1000u);
}

TEST_F(EmbedCommand, TakesAMatrixFileInPlaceOfTheShape) {
  const std::string matrix = folder_ / "torus.geodome", bare = folder_ / "bare.geodome";
  ASSERT_EQ(run_program("build '" + path_ + "' --landmarks 60 -q -o '" + matrix + "'").exit_code, 0);
  ASSERT_EQ(run_program("build '" + path_ + "' --landmarks 60 -q --no-shape -o '" + bare + "'").exit_code, 0);
  const Json shape = embed_command(path_, "--landmarks 60 --json").json();
  const Json file = embed_command(matrix, "--json").json();
  const Json alone = embed_command(bare, "--json").json();
  EXPECT_EQ(file["eigenvalues"], shape["eigenvalues"]);
  EXPECT_EQ(file["stress"], shape["stress"]);
  EXPECT_EQ(alone["eigenvalues"], shape["eigenvalues"]);
  EXPECT_TRUE(alone["stress"].is_null());
  EXPECT_EQ(alone["model_stress"], shape["model_stress"]);
  EXPECT_EQ(embed_command(bare, "--json --shape '" + path_ + "'").json()["stress"], shape["stress"]);
  EXPECT_EQ(embed_command(bare, "-o '" + folder_ / "x.ply" + "'").exit_code, 2);
  EXPECT_EQ(embed_command(matrix, "--method exact --json").exit_code, 2);
}

TEST_F(EmbedCommand, MeasuresOnThePathsTheFileWasMadeFrom) {
  // Every sample is a landmark, so the file holds all distances: fresh ones are the same if paths are.
  std::ofstream samples(folder_ / "roll.csv");
  for (int i = 0; i < 120; ++i) {
    const double t = 4.5 + 9.0 * i / 120;
    samples << t * std::cos(t) << ',' << t * std::sin(t) << ',' << (i * 37 % 100) / 10.0 << '\n';
  }
  samples.close();
  const std::string matrix = folder_ / "roll.geodome";
  ASSERT_EQ(run_program("build '" + folder_ / "roll.csv" + "' --neighbours 4 --landmarks 120 -q -o '" +
                        matrix + "'")
                .exit_code,
            0);
  const Json facts = embed_command(matrix, "--json").json();
  EXPECT_NEAR(facts["stress"].get<double>(), facts["model_stress"].get<double>(),
              1e-5 * facts["stress"].get<double>());
}

TEST_F(EmbedCommand, ScalesByEveryMethod) {
  const Json exact = embed_command(path_, "--method exact --json").json();
  EXPECT_TRUE(exact["model_stress"].is_null());
  double before = 0;
  for (const char* method : {"bmds", "sbmds"}) {
    const Json facts = embed_command(path_, std::string("--landmarks 80 --json --method ") + method).json();
    EXPECT_GE(facts["stress"], exact["stress"]);
    EXPECT_NEAR(facts["exact_stress"], exact["stress"], 1e-12 * exact["stress"].get<double>());
    EXPECT_GT(facts["stress"], before);
    before = facts["stress"];
  }
}

TEST_F(EmbedCommand, RefusesBadUsageWithAReason) {
  for (const char* options :
       {"", "-o z.xyz", "--json --method nothing", "--json --dimensions 0", "--json --stress-rows 1",
        "--json --up w", "--json --method exact --memory 0.000001"}) {
    const ProgramResult result = embed_command(path_, options);
    EXPECT_EQ(result.exit_code, 2) << options;
    EXPECT_NE(result.errors, "") << options;
    EXPECT_EQ(result.output, "") << options;
  }
  EXPECT_EQ(embed_command(folder_ / "none.off", "--json").exit_code, 2);
}

}  // namespace
}  // namespace geodome::internal
