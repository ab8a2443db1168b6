#include "geodome/geodome.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <thread>

#include "front_door/front_door_cases.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/query.h"
#include "geodome/pipeline/build.h"
#include "geodome/shape/digest.h"
#include "geodome/shape/io/npy.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

/// Every pair, and the ways to ask for it, against one matrix of expected rows.
void expect_answers(const Distances& distances, const RowMatrix<double>& expected, const std::string& name) {
  ASSERT_EQ(distances.size(), expected.rows()) << name;
  const RowMatrix<double> rows = all_rows(distances);
  EXPECT_LE(difference(rows, expected), 1e-12) << name;
  const Pairs pairs = random_pairs(distances.size(), 30);
  const Vector found = distances.distances(pairs.I, pairs.J);
  const RowMatrix<double> block = distances.block(pairs.I, pairs.J);
  const double scale = largest_finite(expected);
  for (Index k = 0; k < 30; ++k) {
    const Index i = pairs.I[static_cast<std::size_t>(k)], j = pairs.J[static_cast<std::size_t>(k)];
    EXPECT_EQ(distances.distance(i, j), found[k]) << name;
    if (std::isfinite(expected(i, j))) {
      EXPECT_NEAR(found[k], expected(i, j), 1e-6 * scale) << name;
    } else {
      EXPECT_EQ(found[k], expected(i, j)) << name;
    }
    EXPECT_NEAR(block(k, k) == found[k] ? 0 : block(k, k) - found[k], 0, 1e-6 * scale) << name;
    if (std::isfinite(rows(i, j))) {
      EXPECT_NEAR(distances.row(i)[j], rows(i, j), 1e-12 * scale) << name;
    }
  }
}

TEST(Distances, AreThoseOfQueriesWhateverTheMethodAndTheKind) {
  const Shape shape = make_torus(16, 9);
  for (const Named<Method>& method : methods())
    for (const DistanceKind kind : both_kinds) {
      const BuildOptions options = options_of(method.choice, 30, kind);
      const Distances built = build(shape, options);
      EXPECT_EQ(built.kind(), kind) << method.name;
      EXPECT_EQ(built.matrix().kind(), kind) << method.name;
      EXPECT_EQ(built.queries().kind(), DistanceKind::distance) << method.name;
      EXPECT_EQ(built.mode(), QueryMode::near_field);
      EXPECT_EQ(built.factors(), built.matrix().landmark_matrix());
      const auto matrix = build_matrix(shape, options).matrix;
      expect_answers(built.with(QueryMode::blend), all_rows(*query_matrix(matrix, lower_bound(shape))),
                     method.name);
    }
}

TEST(Distances, AreZeroOnTheDiagonalAndNeverBelowTheChord) {
  const TriangleMesh mesh = make_torus(16, 9);
  for (const Method method : {Method::sbha, Method::bha})
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(mesh, options_of(method, 20, kind));
      const RowMatrix<double> rows = all_rows(built);
      for (Index i = 0; i < built.size(); ++i) {
        EXPECT_EQ(rows(i, i), 0);
        for (Index j = 0; j < built.size(); ++j)
          EXPECT_GE(rows(i, j), (mesh.points.row(i) - mesh.points.row(j)).norm() * (1 - 1e-12));
      }
    }
}

TEST(Distances, FindNeighboursAsAWholeRowDoes) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  for (const Method method : stored_methods) {
    const Distances built = build(shape, options_of(method, 40));
    for (const QueryMode mode : {QueryMode::near_field, QueryMode::raw})
      for (const Index vertex : {0, 100, built.size() - 1}) {
        const Distances asked = built.with(mode);
        const std::vector<Neighbour> all = sorted_row(asked, vertex);
        std::vector<Neighbour> others = all;
        std::erase_if(others, [&](const Neighbour& other) { return other.vertex == vertex; });
        const auto nearest = asked.nearest(vertex, 10);
        ASSERT_EQ(nearest.size(), 10u) << method_name(method);
        for (std::size_t k = 0; k < 10; ++k)
          EXPECT_NEAR(nearest[k].distance, others[k].distance, 1e-6) << method_name(method);
        const double radius = (all[20].distance + all[21].distance) / 2;
        EXPECT_EQ(asked.within(vertex, infinity).size(), all.size()) << method_name(method);
        for (const Neighbour& one : asked.within(vertex, radius)) EXPECT_LE(one.distance, radius);
      }
  }
}

TEST(Distances, AreAskedBetweenPointsOfTheSurface) {
  const Shape shape = make_torus(16, 9);
  for (const Method method : {Method::sbha, Method::bha}) {
    const Distances built = build(shape, options_of(method));
    for (const Distances& one : {built, built.with(QueryMode::raw)})
      EXPECT_NEAR(one.distance(SurfacePoint(3), SurfacePoint(77)), one.distance(3, 77), 1e-6);
    SurfacePoint outside(3);
    outside.vertex[1] = built.size();
    EXPECT_THROW(built.distance(outside, SurfacePoint(1)), InputError);
    EXPECT_THROW(built.distance(SurfacePoint(1), SurfacePoint(-1)), InputError);
  }
  for (const Method method : {Method::ctg, Method::spectrometer, Method::exact}) {
    const Distances built = build(shape, options_of(method));
    EXPECT_THROW(built.distance(SurfacePoint(3), SurfacePoint(7)), InputError) << method_name(method);
  }
}

TEST(Distances, MultiplyByTheStoredMatrix) {
  const Shape shape = make_torus(16, 9);
  const RowMatrix<double> X = RowMatrix<double>::Random(144, 4);
  for (const Method method : stored_methods)
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(shape, options_of(method, 30, kind));
      const RowMatrix<double> expected = all_rows(built.matrix()) * X;
      EXPECT_LE((built.apply(X) - expected).norm(), 1e-12 * expected.norm()) << method_name(method);
      EXPECT_THROW(built.apply(RowMatrix<double>::Random(143, 4)), InputError);
    }
  const Distances several = build(make_two_spheres(4), options_of(Method::sbha));
  EXPECT_THROW(several.apply(RowMatrix<double>::Random(several.size(), 2)), InputError);
}

TEST(Distances, SeparateComponents) {
  const Shape shape = apart(make_sphere(4), make_plane(9, 8));
  const Index stray = static_cast<Index>(make_sphere(4).points.rows());
  for (const Named<Method>& method : methods()) {
    if (method.choice == Method::smds) continue;  // refuses them
    const Distances built = build(shape, options_of(method.choice, 40));
    EXPECT_EQ(built.distance(0, stray + 5), infinity) << method.name;
    EXPECT_EQ(built.distance(0, stray), infinity) << method.name;
    EXPECT_EQ(built.distance(stray, stray), 0) << method.name;
    EXPECT_TRUE(std::isfinite(built.distance(0, 7))) << method.name;
    EXPECT_TRUE(built.nearest(stray, 3).empty()) << method.name;
    EXPECT_EQ(built.embed(3).components.size(), 2u) << method.name;
  }
}

TEST(Distances, RefuseVerticesOutOfRange) {
  const Shape shape = make_torus(16, 9);
  for (const Method method :
       {Method::sbha, Method::ctg, Method::spectrometer, Method::fmds, Method::exact, Method::lmds})
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(shape, options_of(method, 30, kind));
      for (const Index wrong : {-1, 144}) {
        const std::array<Index, 2> fine{0, 1}, bad{0, wrong};
        EXPECT_THROW(built.distance(wrong, 0), InputError) << method_name(method);
        EXPECT_THROW(built.distance(0, wrong), InputError) << method_name(method);
        EXPECT_THROW(built.distances(fine, bad), InputError) << method_name(method);
        EXPECT_THROW(built.row(wrong), InputError) << method_name(method);
        EXPECT_THROW(built.rows(bad), InputError) << method_name(method);
        EXPECT_THROW(built.block(bad, fine), InputError) << method_name(method);
        EXPECT_THROW(built.block(fine, bad), InputError) << method_name(method);
        EXPECT_THROW(built.nearest(wrong, 3), InputError) << method_name(method);
        EXPECT_THROW(built.within(wrong, 3), InputError) << method_name(method);
      }
      const std::array<Index, 2> two{0, 1};
      const std::array<Index, 1> one{0};
      EXPECT_THROW(built.distances(two, one), InputError);
      EXPECT_THROW(built.nearest(0, -1), InputError);
    }
}

TEST(Distances, CopiesShareEverything) {
  const TemporaryFolder folder;
  const Distances built = build(make_sphere(5), options_of(Method::sbha));
  built.save(folder / "m");
  for (const Distances& one : {built, open(folder / "m")}) {
    const Distances copy = one;
    EXPECT_EQ(copy.shared_matrix(), one.shared_matrix());
    EXPECT_EQ(&copy.queries(), &one.queries());
    EXPECT_EQ(&copy.recipe(), &one.recipe());
    EXPECT_EQ(copy.file(), one.file());
    EXPECT_EQ(copy.shape(), one.shape()) << "read once";
    EXPECT_NE(copy.shape(), nullptr);
    const Distances raw = one.with(QueryMode::raw);
    EXPECT_EQ(raw.shared_matrix(), one.shared_matrix());
  }
}

TEST(Distances, OutliveWhatTheyWereMadeFrom) {
  const TemporaryFolder folder;
  std::optional<Distances> kept;
  RowMatrix<double> expected;
  {
    const Distances built = build(make_sphere(5), options_of(Method::sbha));
    expected = all_rows(built);
    built.save(folder / "m");
    kept = built.with(QueryMode::raw).with(QueryMode::near_field);
  }
  EXPECT_EQ(all_rows(*kept), expected);
  kept = open(folder / "m");
  std::filesystem::remove(folder / "m");
  EXPECT_EQ(all_rows(*kept), expected);
}

TEST(Distances, AreAskedFromSeveralThreads) {
  const TemporaryFolder folder;
  build(make_grid_graph(12, 9), options_of(Method::sbha)).save(folder / "m");
  const Distances opened = open(folder / "m");
  const Distances alone = open(folder / "m");
  std::vector<std::vector<Neighbour>> nearest(4);
  std::vector<RowMatrix<double>> rows(4);
  std::vector<std::shared_ptr<const Shape>> shapes(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < 4; ++k)
    threads.emplace_back([&, k] {
      rows[k] = all_rows(opened);
      nearest[k] = opened.nearest(17, 5);
      shapes[k] = opened.shape();
    });
  for (std::thread& one : threads) one.join();
  const RowMatrix<double> expected = all_rows(alone);
  const std::vector<Neighbour> expected_nearest = alone.nearest(17, 5);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_EQ(rows[k], expected);
    ASSERT_EQ(nearest[k].size(), 5u);
    for (std::size_t n = 0; n < 5; ++n) EXPECT_EQ(nearest[k][n].vertex, expected_nearest[n].vertex);
    EXPECT_EQ(shapes[k], shapes[0]);
  }
}

TEST(Distances, InRawModeAreTheProductItself) {
  const TriangleMesh mesh = make_torus(16, 9);
  for (const Method method : {Method::sbha, Method::bha})
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(mesh, options_of(method, 20, kind));
      const Distances raw = built.with(QueryMode::raw);
      EXPECT_EQ(raw.mode(), QueryMode::raw);
      EXPECT_EQ(built.mode(), QueryMode::near_field);
      const NearField expected(*built.factors(), LowerBound(), QueryMode::raw);
      EXPECT_EQ(all_rows(raw), all_rows(expected));
      if (kind == DistanceKind::distance) {
        EXPECT_LE(difference(all_rows(raw), all_rows(built.matrix())), 1e-12);
        EXPECT_NE(raw.distance(3, 3), 0);
      }
      EXPECT_GT(difference(all_rows(raw), all_rows(built)), 1e-4);
      EXPECT_EQ(all_rows(raw.with(QueryMode::near_field)), all_rows(built));
      EXPECT_EQ(raw.recipe(), built.recipe());
      EXPECT_EQ(raw.shape(), built.shape());
    }
  for (const Method method : {Method::ctg, Method::spectrometer, Method::fmds})
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(mesh, options_of(method, 30, kind));
      EXPECT_EQ(all_rows(built.with(QueryMode::raw)), all_rows(built)) << method_name(method);
    }
}

/// Two embeddings with the same distances of points.
double gram_difference(const Embedding& a, const Embedding& b) {
  const Eigen::MatrixXd expected = b.Z * b.Z.transpose();
  return (a.Z * a.Z.transpose() - expected).norm() / expected.norm();
}

TEST(Distances, EmbedSquaredDistancesWhateverIsStored) {
  const Shape shape = make_plane(12, 9);
  for (const Named<Method>& method : methods()) {
    BuildOptions options = options_of(method.choice, 50);
    options.baseline.dimensions = 2;
    options.baseline.smds_weight = 1e4;
    BuildOptions squares = options;
    squares.kind = DistanceKind::squared;
    EmbeddingOptions automatic;
    automatic.dimensions = 2;
    automatic.method = ScalingMethod::automatic;
    const Embedding expected = embed(*build_matrix(shape, squares).matrix, automatic);
    for (const BuildOptions& one : {options, squares}) {
      const Distances built = build(shape, one);
      EXPECT_LE(gram_difference(built.embed(2), expected), 1e-6) << method.name;
      EmbeddingOptions lanczos;
      lanczos.dimensions = 2;
      EXPECT_LE(gram_difference(built.embed(lanczos), expected), 1e-4) << method.name;
    }
  }
}

TEST(Distances, RebuildTheSquaresOfABaselineWhichAreAnotherApproximation) {
  const Shape shape = make_plane(12, 9);
  for (const Method method : {Method::nystrom, Method::nystrom_truncated, Method::fmds, Method::fmds_hard,
                              Method::smds, Method::hybrid}) {
    const Distances built = build(shape, options_of(method, 50));
    EXPECT_EQ(squared_matrix(built.shared_matrix()), nullptr) << method_name(method);
    const Embedding form = built.with(QueryMode::raw).embed(3);
    EXPECT_EQ(form.Z.rows(), built.size()) << method_name(method);
    EXPECT_LE(gram_difference(form, build(shape, options_of(method, 50, DistanceKind::squared)).embed(3)),
              1e-6)
        << method_name(method);
  }
  const Distances points = build(shape, options_of(Method::lmds, 50));
  EXPECT_THROW(points.embed(2), InputError) << "the points have three dimensions";
  EXPECT_THROW(points.embed(0), InputError);
}

TEST(Distances, MeasureTheirError) {
  const Shape shape = make_torus(16, 9);
  GeodesicOptions exact;
  exact.method = GeodesicMethod::exact;
  const auto solver = make_solver(shape, exact);
  for (const Method method : stored_methods)
    for (const DistanceKind kind : both_kinds) {
      const Distances built = build(shape, options_of(method, 30, kind));
      EvaluationOptions options;
      options.rows = 20;
      options.seed = 9;
      const Evaluation found = built.evaluate(options);
      EXPECT_EQ(found.geodesic, "exact");
      EXPECT_EQ(found.error.rows, sample_rows(144, 20, 9));
      const ErrorReport expected = measure_error(built.queries(), *solver, {20, 9, found.bands});
      EXPECT_EQ(found.error.relative_error, expected.relative_error) << method_name(method);
      EXPECT_EQ(found.error.by_band.size(), expected.by_band.size());
      EXPECT_EQ(found.bands.size() > 1, built.factors() != nullptr) << method_name(method);
      options.raw = true;
      EXPECT_EQ(built.evaluate(options).error.relative_error,
                measure_error(built.matrix(), *solver, {20, 9, found.bands}).relative_error)
          << method_name(method);
      EXPECT_EQ(built.evaluate(20).error.rows, sample_rows(144, 20, 0));
      options.geodesic = GeodesicMethod::graph;
      EXPECT_EQ(built.evaluate(options).geodesic, "edges");
      options = {};
      options.rows = 0;
      EXPECT_EQ(built.evaluate(options).error.rows.size(), 144u);
      const Shape other = make_torus(16, 10);
      options.shape = &other;
      EXPECT_THROW(built.evaluate(options), InputError);
    }
}

TEST(Distances, NoteTheirErrorInTheRecipe) {
  const Shape shape = make_torus(16, 9);
  const Distances built = build(shape, options_of(Method::sbha));
  EXPECT_FALSE(built.measured_error());
  EXPECT_EQ(built.certificate(), "");
  EvaluationOptions how;
  how.rows = 20;
  const Distances noted = built.with_certificate(how);
  ASSERT_TRUE(noted.measured_error());
  const ErrorReport& error = noted.measured_error()->error;
  EXPECT_GT(error.relative_error, 0);
  for (const Index landmark : built.factors()->landmarks())
    EXPECT_EQ(std::count(error.rows.begin(), error.rows.end(), landmark), 0);
  const auto recipe = nlohmann::json::parse(noted.recipe());
  EXPECT_EQ(recipe["measured_error"]["relative_error"], error.relative_error);
  EXPECT_FALSE(nlohmann::json::parse(built.recipe()).contains("measured_error"));
  EXPECT_EQ(noted.shared_matrix(), built.shared_matrix());
  EXPECT_TRUE(noted.with(QueryMode::raw).measured_error());
  const TemporaryFolder folder;
  noted.save(folder / "m");
  const Distances opened = open(folder / "m");
  EXPECT_EQ(opened.recipe(), noted.recipe());
  EXPECT_EQ(opened.certificate(), noted.certificate());
  EXPECT_NE(opened.certificate(), "");
  EXPECT_EQ(opened.with_certificate(how).recipe(), noted.recipe());
  how.raw = true;
  EXPECT_THROW(built.with_certificate(how), InputError);
  how.raw = false;
  how.geodesic = GeodesicMethod::heat;
  EXPECT_THROW(built.with_certificate(how), InputError);
}

TEST(Distances, SayWhatTheyAreMadeOf) {
  const TriangleMesh mesh = make_sphere(6);
  for (const Named<Method>& method : methods()) {
    const Distances built = build(mesh, options_of(method.choice, 40));
    EXPECT_EQ(built.method(), method.name);
    EXPECT_EQ(built.geodesic(), traits(method.choice).measures ? "exact" : "spectral heat") << method.name;
    EXPECT_TRUE(built.measured()) << method.name;
    EXPECT_EQ(built.landmarks(), traits(method.choice).landmarks ? 40 : 0) << method.name;
    EXPECT_TRUE(built.labels().empty());
    EXPECT_TRUE(built.notes().empty());
    EXPECT_EQ(built.file(), nullptr);
    EXPECT_TRUE(built.has_shape());
    EXPECT_EQ(built.summary().components, 1);
    EXPECT_EQ(built.summary().bytes, built.matrix().bytes()) << method.name;
    EXPECT_EQ(shape_digest(*built.shape()), shape_digest(mesh));
    EXPECT_NO_THROW(built.require_same_shape(mesh)) << method.name;
  }
}

TEST(Distances, KnowTheirShapeFromAnother) {
  const TriangleMesh mesh = make_sphere(6), other = make_sphere(5);
  const Distances built = build(mesh, options_of(Method::sbha));
  try {
    built.require_same_shape(other);
    ADD_FAILURE() << "another shape was accepted";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(shape_digest(mesh)), std::string::npos) << message;
    EXPECT_NE(message.find(shape_digest(other)), std::string::npos) << message;
  }
}

TEST(Distances, OfAShapeThatIsCleanedFirst) {
  TriangleMesh mesh = make_sphere(4);
  const Eigen::Index faces = mesh.triangles.rows();
  mesh.triangles.conservativeResize(faces + 1, 3);
  mesh.triangles.row(faces) << 3, 3, 7;
  const Distances built = build(mesh, options_of(Method::sbha));
  EXPECT_EQ(built.notes().size(), 1u);
  EXPECT_EQ(built.notes(), clean_shape(mesh).notes);
  EXPECT_EQ(face_count(*built.shape()), faces);
  const Distances again = build(clean_shape(mesh), options_of(Method::sbha));
  EXPECT_EQ(again.notes(), built.notes());
  EXPECT_EQ(all_rows(again), all_rows(built));
  EXPECT_EQ(built.with(QueryMode::raw).notes(), built.notes());
  mesh.points(0, 0) = std::nan("");
  EXPECT_THROW(build(mesh), InputError);
}

TEST(Distances, BuildWithDefaultOptions) {
  const Distances built = build(make_sphere(6));
  EXPECT_EQ(built.method(), "cell");
  EXPECT_EQ(built.landmarks(), 73);
  EXPECT_EQ(built.summary().check.rows, static_cast<Index>(built.measured_error()->error.rows.size()));
}

TEST(Distances, RememberHowPathsRun) {
  const TriangleMesh mesh = make_plane(15, 15);
  BuildOptions options = options_of(Method::sbha, 40);
  EXPECT_TRUE(build(mesh, options).path_options().keep.empty());
  EXPECT_EQ(build(mesh, options).path_options().seed, 5u);
  options.geodesic.keep.assign(225, 1);
  for (Index v = 0; v < 225; ++v)
    if (v % 15 == 7 && v / 15 < 12) options.geodesic.keep[static_cast<std::size_t>(v)] = 0;
  const TemporaryFolder folder;
  const Distances built = build(mesh, options);
  built.save(folder / "m");
  for (const Distances& one : {built, open(folder / "m")}) {
    EXPECT_EQ(one.path_options().keep, options.geodesic.keep);
    EXPECT_EQ(one.distance(0, 7), infinity);
    EXPECT_LT(one.evaluate(0).error.relative_error, 5e-3) << "measured around the wall";
  }
  PointCloud cloud{make_sphere(6).points, {}};
  BuildOptions few = options_of(Method::sbha, 40);
  few.geodesic.neighbours = 9;
  EXPECT_EQ(build(cloud, few).path_options().neighbours, 9);
}

TEST(Distances, OfGivenDistancesAreNotHeldToTheShape) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = make_sphere(5);
  const auto solver = make_solver(mesh);
  RowMatrix<double> K(solver->size(), solver->size());
  solver->distances(everything(solver->size()), K);
  K /= 100;  // far below all chords
  write_npy(K, folder / "K.npy");
  BuildOptions options = options_of(Method::sbha, 100);
  options.distances = folder / "K.npy";
  const Distances built = build(mesh, options);
  built.save(folder / "m");
  EvaluationOptions given;
  given.distances = folder / "K.npy";
  for (const Distances& one : {built, open(folder / "m")}) {
    EXPECT_EQ(one.geodesic(), "given");
    EXPECT_FALSE(one.measured());
    EXPECT_LT(one.distance(0, 1), 0.02);
    EXPECT_EQ(one.distance(0, 1), built.distance(0, 1));
    EXPECT_LT(one.evaluate(given).error.relative_error, 1e-3);
    EXPECT_EQ(one.evaluate(given).geodesic, "given");
  }
  EXPECT_EQ(built.evaluate(10).geodesic, "given");
  EXPECT_THROW(open(folder / "m").evaluate(10), InputError);
}

}  // namespace
}  // namespace geodome::internal
