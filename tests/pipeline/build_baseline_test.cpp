#include "geodome/pipeline/build.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/precomputed.h"
#include "geodome/matrix/query.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

constexpr Method stored[] = {Method::ctg, Method::spectrometer};

BuildOptions options_of(Method method, Index landmarks, DistanceKind kind = DistanceKind::distance) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  options.kind = kind;
  options.seed = 5;
  return options;
}

RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

TEST(BaselineBuild, IsTheMethodWithARecipe) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const Method method : stored) {
    const Build built = build_matrix(shape, options_of(method, 30));
    EXPECT_EQ(built.summary.components, 2);
    const auto recipe = nlohmann::json::parse(built.recipe);
    EXPECT_EQ(recipe["method"], name_of(methods(), method));
    EXPECT_EQ(recipe["landmarks"]["count"], 30);
    EXPECT_EQ(recipe["seed"], 5);
    EXPECT_EQ(recipe["geodesic"]["method"], built.summary.geodesic);
    EXPECT_EQ(recipe.contains("spectrum"), method == Method::spectrometer);
    EXPECT_EQ(recipe.contains("mending"), method == Method::ctg);
    PrepareOptions prepare;
    prepare.seed = 5;
    PreparedShape prepared(shape, prepare);
    BuildOptions plain = options_of(method, 30);
    plain.landmarks.seed = 5;
    EXPECT_EQ(all_rows(*built.matrix), all_rows(*build_matrix(prepared, plain).matrix));
    const Build again = build_matrix(shape, options_of(method, 30), Execution{1});
    EXPECT_EQ(again.recipe, built.recipe);
    EXPECT_EQ(all_rows(*again.matrix), all_rows(*built.matrix));
  }
}

TEST(BaselineBuild, SquaresAndRootsAreTheSameMatrix) {
  const Shape shape = make_torus(16, 9);
  for (const Method method : stored) {
    const auto plain = build_matrix(shape, options_of(method, 30)).matrix;
    const auto squared = build_matrix(shape, options_of(method, 30, DistanceKind::squared)).matrix;
    EXPECT_EQ(all_rows(*squared_matrix(plain)), all_rows(*squared));
    EXPECT_EQ(squared_matrix(squared), squared);
    EXPECT_EQ(query_matrix(plain, LowerBound()), plain);
    EXPECT_LE(difference(all_rows(*query_matrix(squared, LowerBound())), all_rows(*plain)), 1e-12);
    EXPECT_EQ(query_matrix(squared, LowerBound())->kind(), DistanceKind::distance);
  }
  EXPECT_EQ(squared_matrix(build_matrix(shape, options_of(Method::fmds, 30)).matrix), nullptr);
}

TEST(BaselineBuild, NotesItsError) {
  const Shape shape = make_torus(16, 9);
  std::vector<double> errors;
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    BuildOptions options = options_of(Method::ctg, 40, kind);
    options.certificate_rows = 20;
    const Build built = build_matrix(shape, options);
    const auto noted = nlohmann::json::parse(built.recipe)["measured_error"];
    ASSERT_TRUE(built.certificate);
    EXPECT_EQ(noted["relative_error"], built.certificate->error.relative_error);
    EXPECT_EQ(noted["rows"], 20);
    EXPECT_GT(built.certificate->error.relative_error, 0);
    errors.push_back(built.certificate->error.relative_error);
  }
  EXPECT_NEAR(errors[1], errors[0], 1e-9 * errors[0]) << "of distances, whatever is held";
}

TEST(BaselineBuild, RefusesWhatOnlyOurMethodsHave) {
  const Shape shape = make_sphere(3);
  BuildOptions with_log = options_of(Method::ctg, 20);
  with_log.log = "somewhere";
  EXPECT_THROW(build_matrix(shape, with_log), InputError);
  BuildOptions given = options_of(Method::spectrometer, 20);
  given.distances = "distances.npy";
  EXPECT_THROW(build_matrix(shape, given), InputError);
}

TEST(BaselinePlan, IsABoundOnTheSize) {
  for (const Shape& shape : {Shape(make_torus(16, 9)), Shape(make_sphere(6))})
    for (const Method method : stored)
      for (const Index landmarks : {20, 60}) {
        const BuildOptions options = options_of(method, landmarks);
        const BuildPlan plan = plan_build(shape, options);
        EXPECT_GE(plan.bytes, build_matrix(shape, options).summary.bytes);
        EXPECT_GT(plan.seconds(), 0);
        EXPECT_GT(plan.peak_bytes, plan.bytes);
      }
  EXPECT_THROW(plan_build(make_sphere(3), options_of(Method::fmds, 20)), InputError);
}

TEST(BaselineBuild, PowersOfTwoChangeNoDigit) {
  // Scaled by a power of two there is nothing to round, so that whatever moves under any other scale is a tie
  // of landmarks decided by the last bit of a coordinate.
  const TriangleMesh mesh = make_sphere(6);
  const TemporaryFolder folder;
  for (const Method method : stored) {
    const Build plain = build_matrix(mesh, options_of(method, 40));
    for (const double scale : {0x1p-27, 0x1p27, 0x1p-330, 0x1p330}) {
      const Shape other = TriangleMesh{mesh.points * scale, mesh.triangles};
      const Build built = build_matrix(other, options_of(method, 40));
      const RowMatrix<double> rows = all_rows(*built.matrix) / scale;
      EXPECT_LE((rows - all_rows(*plain.matrix)).cwiseAbs().maxCoeff(), 2e-6) << scale;
      save_matrix(folder / "m", *built.matrix, built.recipe, &other);
      const MatrixFile file = MatrixFile::open(folder / "m");
      EXPECT_EQ(all_rows(file.matrix()), all_rows(*built.matrix));
      const auto squared = squared_matrix(file.shared_matrix());
      EXPECT_NEAR(squared->rows(std::vector<Index>{3})(0, 99) / scale / scale, rows(3, 99) * rows(3, 99),
                  1e-5);
    }
  }
  const Shape tiny = TriangleMesh{mesh.points * 1e-50, mesh.triangles};
  EXPECT_THROW(build_matrix(tiny, options_of(Method::nystrom, 40)), InputError);
}

}  // namespace
}  // namespace geodome::internal
