#include "geodome/pipeline/rival_build.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/file/codecs.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/precomputed.h"
#include "geodome/pipeline/measured_error.h"
#include "geodome/pipeline/plan.h"
#include "geodome/shape/builtin/builtin.h"
#include "matrix/matrix_cases.h"
#include "temporary_folder.h"

namespace geodome {
namespace {

using testing::TemporaryFolder;

constexpr Method stored[] = {Method::ctg, Method::spectrometer};

BuildOptions options_of(Index landmarks, DistanceKind kind = DistanceKind::distance) {
  BuildOptions options;
  options.landmarks.count = landmarks;
  options.kind = kind;
  options.seed = 5;
  return options;
}

MethodOptions own_of(Method method) {
  MethodOptions own;
  own.method = method;
  return own;
}

RowMatrix<double> all_rows(const DistanceMatrix& matrix) {
  return matrix.rows(everything(matrix.size()));
}

TEST(RivalBuild, IsTheMethodWithARecipe) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const Method method : stored) {
    const RivalBuild built = build_rival(shape, options_of(30), own_of(method));
    EXPECT_EQ(built.components, 2);
    const auto recipe = nlohmann::json::parse(built.recipe);
    EXPECT_EQ(recipe["method"], name_of(methods(), method));
    EXPECT_EQ(recipe["landmarks"]["count"], 30);
    EXPECT_EQ(recipe["seed"], 5);
    EXPECT_EQ(recipe["geodesic"]["method"], built.geodesic);
    EXPECT_EQ(recipe.contains("spectrum"), method == Method::spectrometer);
    EXPECT_EQ(recipe.contains("mending"), method == Method::ctg);
    PrepareOptions prepare;
    prepare.seed = 5;
    PreparedShape prepared(shape, prepare);
    MethodOptions plain = own_of(method);
    plain.landmarks.count = 30;
    plain.landmarks.seed = 5;
    EXPECT_EQ(all_rows(*built.made.matrix), all_rows(*build_method(prepared, plain).matrix));
    const RivalBuild again = build_rival(shape, options_of(30), own_of(method), Execution{1});
    EXPECT_EQ(again.recipe, built.recipe);
    EXPECT_EQ(all_rows(*again.made.matrix), all_rows(*built.made.matrix));
  }
}

TEST(RivalBuild, SquaresAndRootsAreTheSameMatrix) {
  const Shape shape = make_torus(16, 9);
  for (const Method method : stored) {
    const auto plain = build_rival(shape, options_of(30), own_of(method)).made.matrix;
    const BuildOptions squares = options_of(30, DistanceKind::squared);
    const auto squared = build_rival(shape, squares, own_of(method)).made.matrix;
    EXPECT_EQ(all_rows(*squared_matrix(plain)), all_rows(*squared));
    EXPECT_EQ(squared_matrix(squared), squared);
    EXPECT_EQ(distance_matrix(plain), plain);
    EXPECT_LE(difference(all_rows(*distance_matrix(squared)), all_rows(*plain)), 1e-12);
    EXPECT_EQ(distance_matrix(squared)->kind(), DistanceKind::distance);
  }
  EXPECT_EQ(squared_matrix(build_rival(shape, options_of(30), own_of(Method::fmds)).made.matrix), nullptr);
}

TEST(RivalBuild, NotesItsError) {
  const Shape shape = make_torus(16, 9);
  std::vector<double> errors;
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    const BuildOptions options = options_of(40, kind);
    RivalBuild built = build_rival(shape, options, own_of(Method::ctg));
    const ErrorReport report = measure_and_note_error(built, shape, options, 20);
    const auto noted = nlohmann::json::parse(built.recipe)["measured_error"];
    EXPECT_EQ(noted["relative_error"], report.relative_error);
    EXPECT_EQ(noted["rows"], 20);
    EXPECT_GT(report.relative_error, 0);
    errors.push_back(report.relative_error);
    EXPECT_THROW(measure_and_note_error(built, shape, options, 0), InputError);
  }
  EXPECT_NEAR(errors[1], errors[0], 1e-9 * errors[0]) << "of distances, whatever is held";
}

TEST(RivalBuild, RefusesWhatOnlyOurMethodsHave) {
  const Shape shape = make_sphere(3);
  BuildOptions with_log = options_of(20);
  with_log.log = "somewhere";
  EXPECT_THROW(build_rival(shape, with_log, own_of(Method::ctg)), InputError);
  BuildOptions given = options_of(20);
  given.distances = "distances.npy";
  EXPECT_THROW(build_rival(shape, given, own_of(Method::spectrometer)), InputError);
}

TEST(RivalPlan, IsABoundOnTheSize) {
  for (const Shape& shape : {Shape(make_torus(16, 9)), Shape(make_sphere(6))})
    for (const Method method : stored)
      for (const Index landmarks : {20, 60}) {
        const BuildOptions options = options_of(landmarks);
        const BuildPlan plan = plan_rival(shape, options, own_of(method));
        EXPECT_GE(plan.bytes, build_rival(shape, options, own_of(method)).made.bytes);
        EXPECT_GT(plan.seconds(), 0);
        EXPECT_GT(plan.peak_bytes, plan.bytes);
      }
  EXPECT_THROW(plan_rival(make_sphere(3), options_of(20), own_of(Method::fmds)), InputError);
}

TEST(RivalBuild, PowersOfTwoChangeNoDigit) {
  // Scaled by a power of two there is nothing to round, so that whatever moves under any other scale is a tie
  // of landmarks decided by the last bit of a coordinate.
  const TriangleMesh mesh = make_sphere(6);
  const TemporaryFolder folder;
  for (const Method method : stored) {
    const RivalBuild plain = build_rival(mesh, options_of(40), own_of(method));
    for (const double scale : {0x1p-27, 0x1p27, 0x1p-330, 0x1p330}) {
      const Shape other = TriangleMesh{mesh.points * scale, mesh.triangles};
      const RivalBuild built = build_rival(other, options_of(40), own_of(method));
      const RowMatrix<double> rows = all_rows(*built.made.matrix) / scale;
      EXPECT_LE((rows - all_rows(*plain.made.matrix)).cwiseAbs().maxCoeff(), 2e-6) << scale;
      save_matrix(folder / "m", *built.made.matrix, built.recipe, &other, {}, file_codecs());
      const MatrixFile file = MatrixFile::open(folder / "m", file_codecs());
      EXPECT_EQ(all_rows(file.matrix()), all_rows(*built.made.matrix));
      const auto squared = squared_matrix(file.shared_matrix());
      EXPECT_NEAR(squared->rows(std::vector<Index>{3})(0, 99) / scale / scale, rows(3, 99) * rows(3, 99),
                  1e-5);
    }
  }
  const Shape tiny = TriangleMesh{mesh.points * 1e-50, mesh.triangles};
  EXPECT_THROW(build_rival(tiny, options_of(40), own_of(Method::nystrom)), InputError);
}

}  // namespace
}  // namespace geodome
