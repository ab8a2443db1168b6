/// Builds whose landmarks are measured on a coarser mesh.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "geodome/base/error.h"
#include "geodome/geodesic/exact/exact.h"
#include "geodome/geodome.h"
#include "geodome/landmark/block_log.h"
#include "geodome/matrix/landmark_matrix.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/recipe_match.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/resample/subdivide.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using geodome::testing::TemporaryFolder;
using nlohmann::json;

BuildOptions coarse_options(Index coarsen, Method method = Method::sbha) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = 60;
  options.interpolation.nonzeros = 15;
  options.certificate_rows = 0;
  options.coarsen = coarsen;
  return options;
}

json geodesic_of(const Distances& built) {
  return json::parse(built.recipe())["geodesic"];
}

TEST(Coarsen, MeasuresLandmarksOnTheMeshThatIsAskedFor) {
  const TriangleMesh torus = make_torus(60, 30);
  for (const Method method : {Method::sbha, Method::bha}) {
    const Distances built = build(torus, coarse_options(4, method), {1, {}});
    const BuildSummary& summary = built.summary();
    EXPECT_EQ(summary.geodesic, "marching");
    EXPECT_EQ(summary.coarse_mesh.share, 4);
    EXPECT_EQ(summary.coarse_mesh.vertices, 450);
    EXPECT_GT(summary.coarse_mesh.mean_relative_error, 0);
    EXPECT_EQ(summary.tried_meshes.size(), 1u);
    EXPECT_EQ(geodesic_of(built)["coarse_mesh"]["share"], 4);
    EXPECT_EQ(geodesic_of(built)["coarse_mesh"]["vertices"], 450);
    const std::span<const Index> landmarks = built.matrix().landmark_matrix()->landmarks();
    const RowMatrix<double> truth = ExactSolver(torus).between(landmarks, landmarks);
    double difference = 0;
    for (std::size_t a = 0; a < landmarks.size(); ++a)
      for (std::size_t b = 0; b < landmarks.size(); ++b)
        difference = std::max(difference, std::abs(built.distance(landmarks[a], landmarks[b]) -
                                                   truth(static_cast<Index>(a), static_cast<Index>(b))));
    EXPECT_LT(difference, 0.05 * truth.maxCoeff());
    EXPECT_GT(difference, 0);
  }
}

TEST(Coarsen, IsLeftAloneOnSmallMeshesAndWhereItIsOff) {
  const TriangleMesh torus = make_torus(60, 30);
  BuildOptions options = coarse_options(1);
  options.geodesic.exact_up_to = 100;
  const Distances off = build(torus, options, {1, {}});
  options.coarsen = 0;
  const Distances open = build(torus, options, {1, {}});
  EXPECT_EQ(off.recipe(), open.recipe());
  EXPECT_EQ(off.summary().coarse_mesh.share, 1);
  EXPECT_FALSE(geodesic_of(off).contains("coarse_mesh"));
  EXPECT_TRUE(geodesic_of(off).contains("mean_relative_error"));
}

/// Large enough for the default to look for a coarser mesh.
TEST(Coarsen, DecidesByMeasuredError) {
  BuildOptions options = coarse_options(0);
  options.landmarks.count = 500;
  const TriangleMesh fine = subdivide_midpoint(subdivide_midpoint(make_torus(90, 60)));
  const Distances found = build(fine, options, {2, {}});
  const CoarseMesh& mesh = found.summary().coarse_mesh;
  EXPECT_GT(mesh.share, 1);
  EXPECT_LE(mesh.mean_relative_error, 0.001);
  EXPECT_FALSE(geodesic_of(found).contains("mean_relative_error"));
  EXPECT_EQ(geodesic_of(found)["coarse_mesh"]["share"], mesh.share);
  EXPECT_EQ(geodesic_of(found)["coarse_mesh"]["chosen_by_error"], true);
  EXPECT_EQ(recipe_difference(found.matrix(), found.recipe(), fine, options), "");
  BuildOptions off = options;
  off.coarsen = 1;
  EXPECT_NE(recipe_difference(found.matrix(), found.recipe(), fine, off), "");
  off.coarsen = mesh.share;  // the same distances, but stated and not chosen
  EXPECT_NE(recipe_difference(found.matrix(), found.recipe(), fine, off), "");
}

TEST(Coarsen, GivesTheSameOnAnyNumberOfThreads) {
  const TriangleMesh torus = make_torus(60, 30);
  const TemporaryFolder folder;
  const Distances one = build(torus, coarse_options(3), {1, {}});
  for (const int threads : {2, 3}) {
    const Distances more = build(torus, coarse_options(3), {threads, {}});
    EXPECT_EQ(more.recipe(), one.recipe());
    const std::vector<Index> all{0, 7, 100, 900, 1700};
    EXPECT_EQ(more.matrix().block(all, all), one.matrix().block(all, all));
  }
}

TEST(Coarsen, WorksOnPolygonsUnderMasksAndWithSeveralComponents) {
  BuildOptions masked = coarse_options(4);
  masked.geodesic.keep.assign(1800, 1);
  for (Index v = 0; v < 300; ++v) masked.geodesic.keep[v] = 0;
  EXPECT_EQ(build(make_torus(60, 30), masked, {1, {}}).summary().coarse_mesh.vertices, 375);
  EXPECT_GT(build(make_plane_quads(40, 40), coarse_options(4), {1, {}}).summary().coarse_mesh.vertices, 0);
  // The second sphere is measured on the mesh itself.
  TriangleMesh spheres = make_two_spheres(9);
  spheres.triangles.conservativeResize(spheres.triangles.rows() - 1, 3);
  const Distances two = build(spheres, coarse_options(4), {1, {}});
  EXPECT_EQ(two.summary().coarse_mesh.vertices, static_cast<Index>(spheres.points.rows()) / 8);
  EXPECT_LT(two.summary().check.mean_relative_error, 0.1);
}

TEST(Coarsen, IsResumed) {
  const TriangleMesh torus = make_torus(60, 30);
  const TemporaryFolder folder;
  BuildOptions options = coarse_options(4);
  options.log_every = 20;
  const Distances alone = build(torus, options, {1, {}});
  options.log = folder / "log";
  const auto stop = [](std::string_view stage, double done) {
    return stage != "landmark distances" || done < 0.6;
  };
  EXPECT_THROW(build(torus, options, {1, stop}), Cancelled);
  BuildOptions other = options;
  other.coarsen = 2;
  const Distances resumed = build(torus, options, {1, {}});
  EXPECT_GE(resumed.summary().recalled, 20);
  EXPECT_EQ(resumed.recipe(), alone.recipe());
  const std::vector<Index> all{0, 7, 100, 900, 1700};
  EXPECT_EQ(resumed.matrix().block(all, all), alone.matrix().block(all, all));
  EXPECT_EQ(build(torus, other, {1, {}}).summary().recalled, 0);  // rows of another mesh
}

TEST(Coarsen, IsInTheRecipe) {
  const TriangleMesh torus = make_torus(60, 30);
  const Distances built = build(torus, coarse_options(4), {1, {}});
  const auto differs = [&](const BuildOptions& options) {
    return recipe_difference(built.matrix(), built.recipe(), torus, options);
  };
  EXPECT_EQ(differs(coarse_options(4)), "");
  EXPECT_NE(differs(coarse_options(5)), "");
  EXPECT_NE(differs(coarse_options(1)), "");
  EXPECT_NE(differs(coarse_options(0)), "");
  BuildOptions marching = coarse_options(4);
  marching.geodesic.method = GeodesicMethod::fast_marching;
  EXPECT_EQ(differs(marching), "");
  marching.coarsen = 0;
  EXPECT_NE(differs(marching), "");
}

TEST(Coarsen, IsRefusedWhereItIsNotPossible) {
  const TriangleMesh torus = make_torus(60, 30);
  EXPECT_THROW(build(torus, coarse_options(-1)), InputError);
  EXPECT_THROW(build(torus, coarse_options(1025)), InputError);
  EXPECT_THROW(build(torus, coarse_options(4, Method::ctg)), InputError);
  EXPECT_THROW(build(torus, coarse_options(4, Method::cell)), InputError);  // needs all rows
  EXPECT_THROW(build(make_grid_graph(20, 20), coarse_options(4)), InputError);
  EXPECT_THROW(build(PointCloud{torus.points, {}}, coarse_options(4)), InputError);
  for (const GeodesicMethod method :
       {GeodesicMethod::exact, GeodesicMethod::heat, GeodesicMethod::graph, GeodesicMethod::carried}) {
    BuildOptions options = coarse_options(4);
    options.geodesic.method = method;
    EXPECT_THROW(build(torus, options), InputError);
  }
  BuildOptions given = coarse_options(4);
  given.solver = std::make_shared<const ExactSolver>(torus);
  EXPECT_THROW(build(torus, given), InputError);
}

TEST(Coarsen, SavesTimeInPlans) {
  const TriangleMesh fine = subdivide_midpoint(subdivide_midpoint(make_torus(90, 60)));
  BuildOptions options = coarse_options(0);
  options.landmarks.count = 1000;
  const BuildPlan open = plan_build(fine, options);
  EXPECT_EQ(open.coarsen, 4);
  options.coarsen = 1;
  EXPECT_EQ(plan_build(fine, options).coarsen, 1);
  EXPECT_LT(open.seconds(), plan_build(fine, options).seconds());
  options.coarsen = 16;
  EXPECT_EQ(plan_build(fine, options).coarsen, 16);
  EXPECT_EQ(plan_build(make_torus(60, 30), options).geodesic, "marching");
  options = coarse_options(0, Method::cell);
  options.landmarks.count = 1000;
  EXPECT_EQ(plan_build(fine, options).coarsen, 1);
  options.landmarks.count = 3000;
  EXPECT_EQ(plan_build(fine, options).coarsen, 4);
}

TEST(Coarsen, IsReadFromItsName) {
  EXPECT_EQ(coarsening("auto"), 0);
  EXPECT_EQ(coarsening("off"), 1);
  EXPECT_EQ(coarsening("2"), 2);
  EXPECT_EQ(coarsening("1024"), 1024);
  for (const char* bad : {"", "1", "0", "-4", "1025", "4.5", "4x", " 4", "on", "Auto", "99999999999"})
    EXPECT_THROW(coarsening(bad), InputError) << bad;
}

/// Landmarks whose rows are not learned from are measured on the coarser mesh.
TEST(Coarsen, MeasuresTheOtherLandmarksOfCells) {
  const TriangleMesh torus = make_torus(150, 90);
  BuildOptions options = coarse_options(4, Method::cell);
  options.landmarks.count = 2100;
  const Distances built = build(torus, options, {2, {}});
  EXPECT_EQ(built.summary().coarse_mesh.share, 4);
  EXPECT_LT(built.summary().check.mean_relative_error, 0.02);
}

}  // namespace
}  // namespace geodome::internal
