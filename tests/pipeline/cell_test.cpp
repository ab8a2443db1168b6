#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"
#include "geodome/cell/cell_matrix.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/near_field.h"
#include "geodome/pipeline/build.h"
#include "geodome/pipeline/plan.h"
#include "geodome/pipeline/prepared.h"
#include "geodome/shape/builtin/builtin.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/unit.h"
#include "landmark/faulty_solver.h"
#include "matrix/matrix_cases.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::contents;
using testing::TemporaryFolder;

struct NamedShape {
  std::string name;
  Shape shape;

  friend void PrintTo(const NamedShape& one, std::ostream* out) { *out << one.name; }
};

Graph star(Index arms, Index length) {
  Graph graph{1 + arms * length, {}, {}};
  for (Index a = 0; a < arms; ++a)
    for (Index k = 0; k < length; ++k)
      graph.edges.push_back({k == 0 ? 0 : a * length + k, a * length + k + 1, 1.0 + 0.25 * (k % 3)});
  return graph;
}

Samples roll_samples(Index count) {
  return {sample_swiss_roll(count).points};
}

/// Every built-in shape, each of 100 to 800 vertices, and what may go wrong besides.
std::vector<NamedShape> every_shape() {
  return {{"Sphere", make_sphere(7)},
          {"JitteredSphere", make_jittered_sphere(7)},
          {"Torus", make_torus(30, 14)},
          {"Plane", make_plane(21, 19)},
          {"Cylinder", make_cylinder(24, 16)},
          {"Box", make_box(8)},
          {"Moebius", make_moebius(40, 9)},
          {"Fan", make_fan(10, 12)},
          {"DrilledPlate", make_drilled_plate(4, 4, 16)},
          {"SwissRoll", make_swiss_roll(40, 15)},
          {"PlaneOfQuads", make_plane_quads(18, 17)},
          {"SphereOfQuads", make_sphere_quads(8)},
          {"Cloud", PointCloud{make_sphere(6).points, {}}},
          {"SwissRollCloud", PointCloud{sample_swiss_roll(700).points, {}}},
          {"SwissRollSamples", roll_samples(700)},
          {"GridGraph", make_grid_graph(19, 16)},
          {"PathGraph", make_path_graph(300)},
          {"Star", star(7, 30)},
          {"RandomGraph", testing::random_graph(150, 500, 4)},
          {"TwoSpheres", make_two_spheres(5)},
          {"StrayVertex", apart(make_sphere(5), make_plane(9, 8))}};
}

BuildOptions options_of(Index landmarks = 0, Method method = Method::cell) {
  BuildOptions options;
  options.method = method;
  options.landmarks.count = landmarks;
  return options;
}

/// Relative error, root mean square.
double relative(const RowMatrix<double>& ours, const RowMatrix<double>& K) {
  double wrong = 0, whole = 0;
  for (Eigen::Index k = 0; k < K.size(); ++k) {
    EXPECT_EQ(std::isfinite(ours.data()[k]), std::isfinite(K.data()[k]));
    if (!std::isfinite(K.data()[k]) || !std::isfinite(ours.data()[k])) continue;
    wrong += std::pow(ours.data()[k] - K.data()[k], 2);
    whole += std::pow(K.data()[k], 2);
  }
  return std::sqrt(wrong / whole);
}

/// All distances of a shape, by its solver.
RowMatrix<double> all_distances(const Shape& shape, const GeodesicOptions& options = {}) {
  const auto solver = make_solver(shape, options);
  RowMatrix<double> K(solver->size(), solver->size());
  solver->distances(everything(solver->size()), K);
  return K;
}

/// Of the linear form.
double error_of(const Build& built, const RowMatrix<double>& K) {
  return relative(built.matrix->rows(everything(built.matrix->size())), K);
}

double error_with_near_field(const Shape& shape, const Build& built, const RowMatrix<double>& K) {
  const NearField field(*built.matrix->landmark_matrix(), lower_bound(shape));
  return relative(field.rows(everything(field.size())), K);
}

class CellOn : public ::testing::TestWithParam<NamedShape> {
 protected:
  const Shape& shape() const { return GetParam().shape; }
};

std::shared_ptr<const CellMatrix> cells_of(const Build& built) {
  return std::dynamic_pointer_cast<const CellMatrix>(built.matrix);
}

TEST_P(CellOn, RowsOfPSumToOne) {
  const auto matrix = cells_of(build_matrix(shape(), options_of(40)));
  ASSERT_NE(matrix, nullptr);
  std::int64_t nonzeros = 0;
  for (Index v = 0; v < matrix->size(); ++v) {
    const Weights row = matrix->weights(v);
    nonzeros += static_cast<std::int64_t>(row.size());
    if (matrix->component(v) < 0) {
      EXPECT_EQ(row.size(), 0u);
      continue;
    }
    EXPECT_NEAR(sum(row), 1, 1e-9) << v;
    EXPECT_TRUE(std::is_sorted(row.column.begin(), row.column.end()));
  }
  EXPECT_EQ(nonzeros, matrix->nonzeros());
}

TEST_P(CellOn, EveryQueryEqualsTheExplicitProduct) {
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    BuildOptions options = options_of(40);
    options.kind = kind;
    const auto matrix = cells_of(build_matrix(shape(), options));
    ASSERT_EQ(matrix->kind(), kind);
    const Index size = matrix->size();
    Eigen::MatrixXd expected = Eigen::MatrixXd::Constant(size, size, infinity);
    for (Index c = 0; c < matrix->components(); ++c) {
      const Index count = matrix->W(c).size();
      Eigen::MatrixXd W(count, count), P = Eigen::MatrixXd::Zero(size, count);
      for (Index r = 0; r < count; ++r)
        for (Index k = 0; k < count; ++k)
          W(r, k) = std::pow(matrix->W(c)(r, k), kind == DistanceKind::squared ? 2 : 1);
      for (Index v = 0; v < size; ++v) {
        if (matrix->component(v) != c) continue;
        const Weights row = matrix->weights(v);
        for (std::size_t k = 0; k < row.size(); ++k) P(v, row.column[k]) = row.value[k];
      }
      const Eigen::MatrixXd K = P * W * P.transpose();
      for (Index i = 0; i < size; ++i)
        for (Index j = 0; j < size; ++j)
          if (matrix->component(i) == c && matrix->component(j) == c) expected(i, j) = K(i, j);
    }
    for (Index v = 0; v < size; ++v)
      if (matrix->component(v) < 0) expected(v, v) = 0;
    const std::vector<Index> all = everything(size);
    EXPECT_LT(difference(matrix->rows(all), expected), 1e-9);
    const Pairs pairs = random_pairs(size, 300);
    const Vector entries = matrix->entries(pairs.I, pairs.J);
    EXPECT_EQ(entries, matrix->entries(pairs.J, pairs.I)) << "symmetric";
    Vector wanted(entries.size());
    for (std::size_t k = 0; k < pairs.I.size(); ++k) wanted[k] = expected(pairs.I[k], pairs.J[k]);
    EXPECT_LT(difference(entries, wanted), 1e-9);
    for (const std::size_t columns : {2, 60}) {
      const std::span<const Index> J = std::span(pairs.J).first(columns);
      EXPECT_LT(difference(matrix->block(pairs.I, J), expected(pairs.I, J)), 1e-9);
    }
    for (Index c = 0; c < matrix->components(); ++c)
      for (const Index columns : {1, 2, 5, 16, 21}) {
        const RowMatrix<double> X = RowMatrix<double>::Random(size, columns);
        Eigen::MatrixXd inside = X;
        Eigen::MatrixXd own = Eigen::MatrixXd::Zero(size, size);
        for (Index i = 0; i < size; ++i)
          for (Index j = 0; j < size; ++j)
            if (matrix->component(i) == c && matrix->component(j) == c) own(i, j) = expected(i, j);
        EXPECT_LT(difference(matrix->apply(X, c), own * inside), 1e-9) << columns;
      }
  }
}

TEST_P(CellOn, WithTheNearFieldPairsAndRowsAgree) {
  const Build built = build_matrix(shape(), options_of(40));
  const NearField field(*built.matrix->landmark_matrix(), lower_bound(shape()));
  const Pairs pairs = random_pairs(field.size(), 200);
  const RowMatrix<double> rows = field.rows(pairs.I), block = field.block(pairs.I, pairs.J);
  const Vector entries = field.entries(pairs.I, pairs.J);
  for (Eigen::Index k = 0; k < 200; ++k) {
    const double row = rows(k, pairs.J[static_cast<std::size_t>(k)]);
    if (std::isfinite(row)) {
      EXPECT_NEAR(entries[k], row, 1e-6 * (1 + row));
      EXPECT_NEAR(block(k, k), row, 1e-6 * (1 + row));
    } else {
      EXPECT_EQ(entries[k], row);
      EXPECT_EQ(block(k, k), row);
    }
    EXPECT_EQ(rows(k, pairs.I[static_cast<std::size_t>(k)]), 0);
  }
  EXPECT_EQ(entries, field.entries(pairs.J, pairs.I)) << "symmetric";
}

TEST_P(CellOn, SavedAndOpenedItIsTheSame) {
  const TemporaryFolder folder;
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    BuildOptions options = options_of(40);
    options.kind = kind;
    const Build built = build_matrix(shape(), options);
    save_matrix(folder / "m", *built.matrix, built.recipe, &shape());
    const MatrixFile file = MatrixFile::open(folder / "m");
    file.verify();
    const std::vector<Index> all = everything(built.matrix->size());
    EXPECT_EQ(file.matrix().kind(), kind);
    EXPECT_TRUE(file.matrix().rows(all) == built.matrix->rows(all));
    const Pairs pairs = random_pairs(built.matrix->size(), 100);
    EXPECT_EQ(file.matrix().entries(pairs.I, pairs.J), built.matrix->entries(pairs.I, pairs.J));
    EXPECT_EQ(file.matrix().component_labels(), built.matrix->component_labels());
    EXPECT_EQ(file.matrix().bytes(), built.matrix->bytes());
    EXPECT_EQ(file.matrix().codec(), "cell");
    save_matrix(folder / "again", file.matrix(), file.recipe(), &shape());
    EXPECT_TRUE(contents(folder / "again") == contents(folder / "m"));
  }
}

TEST_P(CellOn, BytesDoNotDependOnThreads) {
  const TemporaryFolder folder;
  for (const int threads : {1, 2}) {
    const Build built = build_matrix(shape(), options_of(40), {threads, {}});
    save_matrix(folder / std::to_string(threads), *built.matrix, built.recipe);
  }
  EXPECT_TRUE(contents(folder / "1") == contents(folder / "2"));
}

TEST_P(CellOn, TheUnitOfLengthDoesNotMatter) {
  const Build plain = build_matrix(shape(), options_of(40));
  const std::vector<Index> some{0, 17, 101};
  const RowMatrix<double> expected = plain.matrix->rows(some);
  for (const double scale : {0x1p-330, 0x1p-26, 0x1p26, 0x1p330}) {
    const Shape other = in_units(shape(), 1 / scale);
    EXPECT_LT(difference(build_matrix(other, options_of(40)).matrix->rows(some) / scale, expected), 1e-9)
        << scale;
  }
  // Other units round coordinates, which decides ties among landmarks: the error stays, its places do not.
  const RowMatrix<double> K = all_distances(shape());
  const double error = error_of(plain, K);
  for (const double scale : {1e-8, 1e8}) {
    const Shape other = in_units(shape(), 1 / scale);
    EXPECT_LT(error_of(build_matrix(other, options_of(40)), K * scale), 2 * error) << scale;
  }
}

TEST_P(CellOn, ErrorFallsWithLandmarks) {
  const RowMatrix<double> K = all_distances(shape());
  const double few = error_of(build_matrix(shape(), options_of(20)), K),
               many = error_of(build_matrix(shape(), options_of(100)), K);
  // On a path all distances but the nearest are exact with any number of landmarks.
  EXPECT_LT(many, std::max(few, 0.008)) << K.rows();
}

TEST_P(CellOn, AnyNumberOfLandmarksWillDo) {
  const RowMatrix<double> K = all_distances(shape());
  PreparedShape prepared(shape());
  const auto referenced = static_cast<Index>(
      prepared.size() - std::count(prepared.component().begin(), prepared.component().end(), -1));
  for (Index count : {prepared.components(), prepared.components() + 1, referenced}) {
    BuildOptions options = options_of(count);
    options.landmarks.or_all = true;
    const Build built = build_matrix(shape(), options);
    EXPECT_TRUE((built.matrix->rows(everything(prepared.size())).array() >= -infinity).all()) << "no NaN";
    EXPECT_LT(error_of(built, K), count == referenced ? 1e-4 : 2) << count;
  }
}

TEST_P(CellOn, IsAsAccurateAsSbhaInAFractionOfTheBytes) {
  const RowMatrix<double> K = all_distances(shape());
  const Build cell = build_matrix(shape(), options_of()),
              sbha = build_matrix(shape(), options_of(0, Method::sbha));
  EXPECT_LT(cell.matrix->bytes(), sbha.matrix->bytes() / 2);
  EXPECT_LT(error_of(cell, K), 1.1 * error_of(sbha, K));
  EXPECT_LT(error_with_near_field(shape(), cell, K), 1.1 * error_with_near_field(shape(), sbha, K));
}

TEST_P(CellOn, ManyPairsAreTheSameAsOneAtATime) {
  for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
    BuildOptions options = options_of(40);
    options.kind = kind;
    const Build built = build_matrix(shape(), options);
    const Pairs pairs = random_pairs(built.matrix->size(), 2000);
    const Vector many = built.matrix->entries(pairs.I, pairs.J);
    EXPECT_EQ(many, built.matrix->entries(pairs.J, pairs.I)) << "symmetric";
    EXPECT_EQ(many, built.matrix->entries(pairs.I, pairs.J, {3, {}})) << "on any number of threads";
    const double size = many.array().isFinite().select(many, 0).maxCoeff();
    for (std::size_t k = 0; k < 2000; k += 7) {
      const double one = built.matrix->entries(std::span(&pairs.I[k], 1), std::span(&pairs.J[k], 1))[0];
      const double same = many[static_cast<Eigen::Index>(k)];
      if (std::isfinite(one))
        EXPECT_NEAR(same, one, 1e-12 * size);
      else
        EXPECT_EQ(same, one);
    }
  }
}

BuildOptions positional(Index landmarks) {
  BuildOptions options = options_of(landmarks);
  options.positional = true;
  return options;
}

TEST_P(CellOn, WeightsMayBePolynomialsOfPositions) {
  if (std::holds_alternative<Graph>(shape()) || std::holds_alternative<Samples>(shape())) {
    EXPECT_THROW(build_matrix(shape(), positional(40)), InputError) << "no coordinates";
    return;
  }
  const TemporaryFolder folder;
  const RowMatrix<double> K = all_distances(shape());
  const Build built = build_matrix(shape(), positional(40), {1, {}}),
              stored = build_matrix(shape(), options_of(40));
  EXPECT_LT(built.matrix->bytes(), stored.matrix->bytes());
  EXPECT_LT(error_of(built, K), 2.5 * error_of(stored, K));
  for (Index v = 0; v < built.matrix->size(); v += 5) {
    const Weights row = built.matrix->landmark_matrix()->weights(v);
    if (row.size() > 0) {
      EXPECT_NEAR(sum(row), 1, 1e-9);
    }
  }
  const std::vector<Index> all = everything(built.matrix->size());
  save_matrix(folder / "m", *built.matrix, built.recipe, &shape());
  const MatrixFile file = MatrixFile::open(folder / "m");
  file.verify();
  EXPECT_TRUE(file.matrix().rows(all) == built.matrix->rows(all));
  save_matrix(folder / "again", file.matrix(), file.recipe(), &shape());
  EXPECT_TRUE(contents(folder / "again") == contents(folder / "m"));
  const Build two = build_matrix(shape(), positional(40), {2, {}});
  save_matrix(folder / "two", *two.matrix, two.recipe, &shape());
  EXPECT_TRUE(contents(folder / "two") == contents(folder / "m"));
  EXPECT_THROW(save_matrix(folder / "alone", *built.matrix, built.recipe), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "alone"));
}

INSTANTIATE_TEST_SUITE_P(EveryShape, CellOn, ::testing::ValuesIn(every_shape()),
                         [](const auto& one) { return one.param.name; });

TEST(CellBuild, StaysClearOfTheMask) {
  const TriangleMesh mesh = make_plane(15, 15);
  BuildOptions options = options_of(40);
  options.geodesic.keep.assign(225, 1);
  for (Index v = 0; v < 225; ++v)
    if (v % 15 == 7 && v / 15 < 12) options.geodesic.keep[static_cast<std::size_t>(v)] = 0;  // a wall
  const Build built = build_matrix(mesh, options);
  EXPECT_LT(error_of(built, all_distances(mesh, options.geodesic)), 0.05);
  const std::array from{Index{0}}, to{Index{14}}, wall{Index{7}};
  EXPECT_GT(built.matrix->entries(from, to)[0], 1.2);
  EXPECT_EQ(built.matrix->entries(from, wall)[0], infinity);
}

/// Entries between components, and to vertices of none, are infinite.
TEST(CellBuild, ComponentsAreInfinitelyFarApart) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  const auto matrix = cells_of(build_matrix(shape, options_of(40)));
  ASSERT_EQ(matrix->components(), 2);
  const auto stray = static_cast<Index>(make_sphere(5).points.rows());
  const std::array I{Index{0}, Index{0}, stray, stray}, J{stray + 1, stray, stray, Index{3}};
  const Vector entries = matrix->entries(I, J);
  EXPECT_EQ(entries[0], infinity);
  EXPECT_EQ(entries[1], infinity);
  EXPECT_EQ(entries[2], 0);
  EXPECT_EQ(entries[3], infinity);
  EXPECT_THROW(matrix->apply(RowMatrix<double>::Ones(matrix->size(), 1)), InputError);
}

TEST(CellBuild, MoreVerticesThanABlock) {
  const TemporaryFolder folder;
  const Shape shape = apart(make_sphere(16), make_plane(30, 20));  // 2,562 and 600 vertices
  const Build built = build_matrix(shape, options_of(150));
  save_matrix(folder / "m", *built.matrix, built.recipe);
  const Pairs pairs = random_pairs(built.matrix->size(), 50);
  const MatrixFile file = MatrixFile::open(folder / "m");
  EXPECT_EQ(file.matrix().entries(pairs.I, pairs.J), built.matrix->entries(pairs.I, pairs.J))
      << "blocks on demand";
  EXPECT_TRUE(file.matrix().rows(pairs.I, {1, {}}) == built.matrix->rows(pairs.I, {3, {}}));
  EXPECT_LT(built.summary.check.mean_relative_error, 0.03);
  const Build connected = build_matrix(make_sphere(16), options_of(100));
  save_matrix(folder / "c", *connected.matrix, connected.recipe);
  const MatrixFile one = MatrixFile::open(folder / "c");
  std::vector<Index> last{2561, 1024, 1023, 0};
  EXPECT_EQ(one.matrix().entries(last, std::vector<Index>{0, 0, 0, 0}),
            connected.matrix->entries(last, std::vector<Index>{0, 0, 0, 0}));
  const RowMatrix<double> X = RowMatrix<double>::Random(2562, 3);
  EXPECT_EQ(MatrixFile::open(folder / "c").matrix().apply(X, {3, {}}), connected.matrix->apply(X, {1, {}}));
}

TEST(CellBuild, TakesDistancesOfTheUser) {
  const TemporaryFolder folder;
  const TriangleMesh mesh = make_torus(24, 11);
  const auto solver = make_solver(mesh);
  const Index size = static_cast<Index>(mesh.points.rows());
  RowMatrix<double> K(size, size);
  solver->distances(everything(size), K);
  K = ((K + K.transpose()) / 2).eval() * 7;  // other distances than those of the shape
  write_npy(K, folder / "K.npy");
  BuildOptions file = options_of(60);
  file.distances = folder / "K.npy";
  const Build from_file = build_matrix(mesh, file);
  EXPECT_LT(relative(from_file.matrix->rows(everything(size)), K), 0.03);

  class Given final : public GeodesicSolver {
   public:
    explicit Given(RowMatrix<double> all) : K_(std::move(all)) {}
    Index size() const override { return static_cast<Index>(K_.rows()); }
    void distances(std::span<const Index> sources, Eigen::Ref<RowMatrix<double>> out,
                   const Execution&) const override {
      for (std::size_t s = 0; s < sources.size(); ++s)
        out.row(static_cast<Eigen::Index>(s)) = K_.row(sources[s]);
    }

   private:
    RowMatrix<double> K_;
  };
  BuildOptions callback = options_of(60);
  callback.solver = std::make_shared<Given>(K);
  const Build from_solver = build_matrix(mesh, callback);
  EXPECT_TRUE(from_solver.matrix->rows(everything(size)) == from_file.matrix->rows(everything(size)));
}

TEST(CellBuild, TheOrderOfGivenLandmarksDoesNotMatter) {
  const Shape shape = make_plane(40, 30);
  BuildOptions options = options_of(200);
  const Build farthest = build_matrix(shape, options);
  const RowMatrix<double> K = all_distances(shape);
  const double expected = error_of(farthest, K);
  const auto landmarks = farthest.matrix->landmark_matrix()->landmarks();
  options.landmarks.method = LandmarkMethod::user;
  options.landmarks.vertices.assign(landmarks.begin(), landmarks.end());
  std::sort(options.landmarks.vertices.begin(), options.landmarks.vertices.end());
  const Build sorted = build_matrix(shape, options);
  EXPECT_LT(error_of(sorted, K), 1.3 * expected);
  EXPECT_LT(sorted.matrix->bytes(), 1.2 * static_cast<double>(farthest.matrix->bytes()));
  std::shuffle(options.landmarks.vertices.begin(), options.landmarks.vertices.end(), std::mt19937(1));
  EXPECT_LT(error_of(build_matrix(shape, options), K), 1.3 * expected);
}

TEST(CellBuild, LandmarksMayBeRandom) {
  const Shape shape = make_torus(40, 18);
  BuildOptions options = options_of(150);
  options.landmarks.method = LandmarkMethod::random;
  EXPECT_LT(error_of(build_matrix(shape, options), all_distances(shape)), 0.03);
}

/// In one of two components: the other one is measured again with the same landmarks.
TEST(CellBuild, LandmarksAtWhichTheSolverFailsAreReplaced) {
  const Shape shape = apart(make_sphere(6), make_plane(12, 11));
  const auto good = make_solver(shape);
  const Build plain = build_matrix(shape, options_of(60));
  const auto chosen = plain.matrix->landmark_matrix()->landmarks();
  const Index faulty = *std::max_element(chosen.begin(), chosen.end());
  BuildOptions options = options_of(60);
  options.solver = std::make_shared<FaultySolver>(*good, std::vector<Index>{faulty}, 3);
  const Build built = build_matrix(shape, options);
  EXPECT_EQ(built.summary.replaced.size(), 1u);
  EXPECT_LT(error_of(built, all_distances(shape)), 0.1);
  const Build again = build_matrix(shape, options, {1, {}});
  EXPECT_TRUE(again.matrix->rows(std::vector<Index>{0, 1}) == built.matrix->rows(std::vector<Index>{0, 1}));
}

TEST(CellBuild, ALogThatHoldsAllRowsOrSomeGivesTheSame) {
  const TemporaryFolder folder;
  const Shape shape = apart(make_sphere(6), make_plane(12, 11));
  BuildOptions options = options_of(60);
  options.log_every = 8;
  const std::vector<Index> all = everything(vertex_count(shape));
  const RowMatrix<double> expected = build_matrix(shape, options).matrix->rows(all);
  options.log = folder / "log";
  EXPECT_TRUE(build_matrix(shape, options).matrix->rows(all) == expected);
  const std::string whole = contents(folder / "log");
  ASSERT_FALSE(whole.empty());
  const Build recalled = build_matrix(shape, options);
  EXPECT_EQ(recalled.summary.recalled, 60);
  EXPECT_TRUE(recalled.matrix->rows(all) == expected) << "all rows were known";
  for (const double part : {0.2, 0.5, 0.9}) {
    testing::store(folder / "log",
                   whole.substr(0, static_cast<std::size_t>(part * static_cast<double>(whole.size()))));
    const Build resumed = build_matrix(shape, options);
    EXPECT_GT(resumed.summary.recalled, 0);
    EXPECT_LT(resumed.summary.recalled, 60);
    EXPECT_TRUE(resumed.matrix->rows(all) == expected) << part;
  }
}

TEST(CellBuild, OnAPreparedShapeItIsTheSame) {
  const Shape shape = apart(make_sphere(5), make_plane(9, 8));
  const std::vector<Index> all = everything(vertex_count(shape));
  const RowMatrix<double> expected = build_matrix(shape, options_of(40)).matrix->rows(all);
  for (const bool keep : {true, false}) {
    PrepareOptions prepare;
    prepare.keep_rows = keep;
    PreparedShape prepared(shape, prepare);
    // Rows that are kept are rounded to single precision, which may change what is worth a direction.
    const double allowed = keep ? 0.02 : 0;
    EXPECT_LE(difference(build_matrix(prepared, options_of(40)).matrix->rows(all), expected), allowed);
    build_matrix(prepared, options_of(40, Method::sbha));  // its landmarks are shared
    EXPECT_LE(difference(build_matrix(prepared, options_of(40)).matrix->rows(all), expected), allowed);
    prepared.forget();
    build_matrix(prepared, options_of(40, Method::sbha));
    EXPECT_LE(difference(build_matrix(prepared, options_of(40)).matrix->rows(all), expected), allowed);
  }
}

TEST(CellBuild, CoarsenessTradesBytesForAccuracy) {
  const Shape shape = make_torus(40, 18);
  const RowMatrix<double> K = all_distances(shape);
  double bytes = infinity, error = 0;
  for (const double rounding : {0.25, 1.0, 8.0}) {
    BuildOptions options = options_of(100);
    options.rounding = rounding;
    const Build built = build_matrix(shape, options);
    EXPECT_LT(static_cast<double>(built.matrix->bytes()), bytes) << rounding;
    const double now = error_of(built, K);
    EXPECT_GT(now, 0.999 * error) << rounding;
    bytes = static_cast<double>(built.matrix->bytes());
    error = now;
  }
}

TEST(CellBuild, RefusesWhatCannotBe) {
  const Shape shape = make_sphere(4);
  for (const Precision precision : {Precision::uint16, Precision::float64}) {
    BuildOptions options = options_of(20);
    options.precision = precision;
    EXPECT_THROW(build_matrix(shape, options), InputError);
  }
  EXPECT_THROW(build_matrix(shape, options_of(-3)), InputError);
  EXPECT_THROW(build_matrix(shape, options_of(100000)), InputError);
  for (const double rounding : {0.0, -1.0, std::nan(""), infinity}) {
    BuildOptions options = options_of(20);
    options.rounding = rounding;
    EXPECT_THROW(build_matrix(shape, options), InputError) << rounding;
  }
}

TEST(CellBuild, OnlyCellsHavePositionalWeights) {
  BuildOptions options = options_of(20, Method::sbha);
  options.positional = true;
  EXPECT_THROW(build_matrix(make_sphere(4), options), InputError);
}

TEST(CellBuild, DamagedPositionsAreNotUsed) {
  const TemporaryFolder folder;
  const Shape shape = make_sphere(16);
  const Build built = build_matrix(shape, positional(100));
  save_matrix(folder / "m", *built.matrix, built.recipe, &shape);
  const Points& points = std::get<TriangleMesh>(shape).points;
  std::string bytes = contents(folder / "m");
  const std::string row(reinterpret_cast<const char*>(&points(2000, 0)), 3 * sizeof(double));
  const std::size_t at = bytes.find(row);
  ASSERT_NE(at, std::string::npos);
  bytes[at + 3] ^= 16;
  std::ofstream(folder / "m", std::ios::binary) << bytes;
  EXPECT_THROW(MatrixFile::open(folder / "m").matrix().rows(std::array{0}), FileError);
}

TEST(CellBuild, EveryVertexMayBeInTheSamePlace) {
  Graph graph{30, {}, {}};
  for (Index v = 1; v < graph.vertices; ++v) graph.edges.push_back({v - 1, v, 0.0});
  const Build built = build_matrix(graph, options_of(1));
  EXPECT_EQ(built.matrix->rows(everything(30)), (RowMatrix<double>::Zero(30, 30)));
}

TEST(CellBuild, ThePlanIsOfTheRightSize) {
  for (const Index landmarks : {40, 150}) {
    const Shape shape = make_sphere(16);
    const BuildPlan plan = plan_build(shape, options_of(landmarks));
    const Build built = build_matrix(shape, options_of(landmarks));
    EXPECT_GE(3 * plan.bytes, built.matrix->bytes());
    EXPECT_LE(plan.bytes, 3 * built.matrix->bytes());
  }
}

TEST(CellMatrix, InAnotherUnitItSharesItsArrays) {
  const auto matrix = cells_of(build_matrix(make_sphere(6), options_of(40)));
  const auto other = matrix->in_unit(8);
  const std::vector<Index> some{0, 5, 17};
  EXPECT_EQ(other->rows(some), (8 * matrix->rows(some)).eval());
  EXPECT_EQ(other->spacing(0), 8 * matrix->spacing(0));
  const auto squared = matrix->converted(DistanceKind::squared);
  EXPECT_EQ(squared->kind(), DistanceKind::squared);
  EXPECT_EQ(squared->bytes(), matrix->bytes());
}

TEST(CellMatrix, RefusesArraysThatDoNotFit) {
  const auto matrix = cells_of(build_matrix(apart(make_sphere(4), make_plane(9, 8)), options_of(40)));
  EXPECT_NO_THROW(make_cell_matrix(matrix->arrays()));
  std::vector<Index> numbers;
  std::vector<std::uint32_t> words;
  const auto refused = [&](auto change) {
    CellMatrixArrays arrays = matrix->arrays();
    change(arrays);
    EXPECT_THROW(make_cell_matrix(arrays), InputError);
  };
  refused([](CellMatrixArrays& a) { a.code.size = 2147483647; });
  refused([](CellMatrixArrays& a) { a.code.size += 1; });
  refused([](CellMatrixArrays& a) { a.code.size -= 1; });
  refused([](CellMatrixArrays& a) { a.code.size = 0; });
  refused([](CellMatrixArrays& a) { a.code.connected = true; });
  refused([](CellMatrixArrays& a) { a.code.tables = {}; });
  refused([](CellMatrixArrays& a) { a.code.distances = {}; });
  refused([](CellMatrixArrays& a) { a.code.cells = {}; });
  refused([](CellMatrixArrays& a) { a.code.vertices = {}; });
  refused([](CellMatrixArrays& a) { a.code.block_begin = {}; });
  refused([](CellMatrixArrays& a) { a.step = {}; });
  refused([](CellMatrixArrays& a) { a.spacing = {}; });
  refused([](CellMatrixArrays& a) { a.component_first = {}; });
  refused([](CellMatrixArrays& a) { a.landmark = a.landmark.first(5); });
  refused([&](CellMatrixArrays& a) {
    numbers = {0, 2147483647};
    a.component_first = numbers;
  });
  refused([&](CellMatrixArrays& a) {
    numbers.assign(a.landmark.begin(), a.landmark.end());
    numbers[3] = matrix->size();
    a.landmark = numbers;
  });
  refused([&](CellMatrixArrays& a) {
    words.assign(a.code.block_begin.begin(), a.code.block_begin.end());
    words.back() += 1;
    a.code.block_begin = words;
  });
}

}  // namespace
}  // namespace geodome::internal
