#include "geodome/file/matrix_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>

#include "file_damage.h"
#include "geodome/base/error.h"
#include "geodome/matrix/full_matrix.h"
#include "geodome/shape/digest.h"
#include "geodome/shape/io/read.h"
#include "matrix/matrix_cases.h"

namespace geodome::internal {
namespace {

using testing::contents;
using testing::TemporaryFolder;

/// Everything the matrix can be asked for.
void expect_equal(const LandmarkMatrix& a, const LandmarkMatrix& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_EQ(a.kind(), b.kind());
  EXPECT_EQ(a.bytes(), b.bytes());
  const std::vector<Index> all = everything(a.size());
  EXPECT_EQ(a.rows(all), b.rows(all));
  const Pairs pairs = random_pairs(a.size(), 200);
  EXPECT_EQ(a.entries(pairs.I, pairs.J), b.entries(pairs.I, pairs.J));
  for (Index c = 0; c < a.components(); ++c) {
    const RowMatrix<double> X = RowMatrix<double>::Random(a.size(), 3);
    EXPECT_EQ(a.apply(X, c), b.apply(X, c));
    EXPECT_EQ(a.spacing(c), b.spacing(c));
  }
}

TEST(MatrixFile, GivesBackWhatWasSaved) {
  const TemporaryFolder folder;
  for (const MatrixCase& one : matrix_cases()) {
    SCOPED_TRACE(one.name);
    const Shape shape = one.mesh;
    for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64})
      for (const DistanceKind kind : {DistanceKind::distance, DistanceKind::squared}) {
        const bool short_weights = kind == DistanceKind::distance && precision != Precision::float64;
        const SparseLandmarkMatrix matrix =
            one.compact(precision, kind, short_weights ? WeightPrecision::int16 : WeightPrecision::float32);
        save_matrix(folder / "m", matrix, "{\"a\": 1}", &shape);
        const MatrixFile file = MatrixFile::open(folder / "m");
        expect_equal(*file.matrix().landmark_matrix(), matrix);
        EXPECT_EQ(file.recipe(), "{\"a\": 1}");
        EXPECT_EQ(shape_digest(*file.shape()), shape_digest(shape));
        EXPECT_EQ(file.file_bytes(), std::filesystem::file_size(folder / "m"));
        file.verify();
      }
    const DenseLandmarkMatrix dense = one.dense();
    save_matrix(folder / "d", dense, "{}");
    expect_equal(*MatrixFile::open(folder / "d").matrix().landmark_matrix(), dense);
    EXPECT_FALSE(MatrixFile::open(folder / "d").shape());
  }
}

TEST(MatrixFile, IsRefusedAsAShapeForWhatItIs) {
  const TemporaryFolder folder;
  const SparseLandmarkMatrix matrix = make_case("plane", make_plane(6, 5), 8).compact();
  for (const std::string name : {"plane.geodome", "plane.obj"}) {
    save_matrix(folder / name, matrix, "{}");
    try {
      read_shape(folder / name);
      ADD_FAILURE() << name;
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()).find("is a .geodome file"), std::string::npos) << error.what();
    }
  }
}

TEST(MatrixFile, KeepsEveryKindOfShape) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("plane", make_plane(6, 5), 8);
  const SparseLandmarkMatrix matrix = one.compact();
  PolygonMesh quads = make_plane_quads(6, 5);
  Graph graph = make_grid_graph(6, 5);
  for (Index v = 0; v < 30; ++v) graph.labels.push_back(10 * v + 7);
  const Points fine = one.mesh.points * 1.1;  // not representable in 32 bits
  for (const Shape& shape : {Shape(TriangleMesh{fine, one.mesh.triangles}), Shape(quads),
                             Shape(PointCloud{fine, {}}), Shape(PointCloud{fine, one.mesh.points}),
                             Shape(graph), Shape(Samples{RowMatrix<double>::Random(30, 4)})}) {
    save_matrix(folder / "m", matrix, "{}", &shape);
    const MatrixFile file = MatrixFile::open(folder / "m");
    ASSERT_TRUE(file.shape());
    EXPECT_EQ(kind_name(*file.shape()), kind_name(shape));
    EXPECT_EQ(shape_digest(*file.shape()), shape_digest(shape));
    EXPECT_EQ(file.labels().empty(), !std::holds_alternative<Graph>(shape));
  }
  save_matrix(folder / "m", matrix, "{}", nullptr, graph.labels);
  const MatrixFile bare = MatrixFile::open(folder / "m");
  EXPECT_EQ(std::vector<std::int64_t>(bare.labels().begin(), bare.labels().end()), graph.labels);
}

TEST(MatrixFile, RefusesPolygonsOfFewerThanThreeCorners) {
  const TemporaryFolder folder;
  const SparseLandmarkMatrix matrix = make_case("plane", make_plane(6, 5), 8).compact();
  const Points points = make_plane(6, 5).points;
  for (const std::int64_t cut : {0, 1, 2, 5, 6, 7}) {
    const Shape shape = PolygonMesh{points, {0, 1, 2, 3, 4, 5, 6}, {0, cut, 7}};
    save_matrix(folder / "m", matrix, "{}", &shape);
    EXPECT_THROW(MatrixFile::open(folder / "m").shape(), FileError) << cut;
  }
}

TEST(MatrixFile, OutlivesItsName) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("plane", make_plane(6, 5), 8);
  const SparseLandmarkMatrix matrix = one.compact();
  save_matrix(folder / "m", matrix, "{}");
  const std::shared_ptr<const DistanceMatrix> mapped = MatrixFile::open(folder / "m").shared_matrix();
  std::filesystem::remove(folder / "m");
  expect_equal(*mapped->landmark_matrix(), matrix);
}

TEST(MatrixFile, EqualInputGivesEqualFiles) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("plane", make_plane(6, 5), 8);
  const Shape shape = one.mesh;
  save_matrix(folder / "a", one.compact(), "{}", &shape);
  save_matrix(folder / "b", one.compact(), "{}", &shape);
  EXPECT_EQ(contents(folder / "a"), contents(folder / "b"));
}

/// Opens the file and asks it everything; the answers must be those of `right`, or a FileError.
bool refused(const std::string& path, const SparseLandmarkMatrix& right, const Shape& shape) {
  try {
    const MatrixFile file = MatrixFile::open(path);
    const auto found = file.shape();
    EXPECT_TRUE(found.has_value());
    EXPECT_EQ(shape_digest(*found), shape_digest(shape));
    expect_equal(*file.matrix().landmark_matrix(), right);
    file.verify();
    return false;
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
    return true;
  }
}

TEST(MatrixFile, ACutFileIsRefused) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("sphere", make_sphere(4), 12, 6);
  const Shape shape = one.mesh;
  const SparseLandmarkMatrix matrix = one.compact();
  save_matrix(folder / "m", matrix, "{}", &shape);
  testing::for_each_cut(contents(folder / "m"), folder / "cut", [&](std::size_t length) {
    EXPECT_TRUE(refused(folder / "cut", matrix, shape)) << length;
  });
}

TEST(MatrixFile, AFlippedBitIsFoundBeforeItMatters) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("sphere", make_sphere(4), 12, 6);
  const Shape shape = one.mesh;
  const SparseLandmarkMatrix matrix = one.compact();
  save_matrix(folder / "m", matrix, "{}", &shape);
  testing::for_each_flip(contents(folder / "m"), folder / "damaged", [&](std::size_t place) {
    EXPECT_TRUE(refused(folder / "damaged", matrix, shape)) << place;
  });
}

TEST(MatrixFile, TellsItsOwnFromOthers) {
  const TemporaryFolder folder;
  save_matrix(folder / "m", make_case("plane", make_plane(6, 5), 8).compact(), "{}");
  EXPECT_TRUE(MatrixFile::is_one(folder / "m"));
  EXPECT_FALSE(MatrixFile::is_one(folder.write("t.obj", "v 0 0 0\n")));
  EXPECT_FALSE(MatrixFile::is_one(folder.write("empty", "")));
  EXPECT_THROW(MatrixFile::is_one(folder / "none"), FileError);
}

TEST(MatrixFile, OpensItsOwnAndLeavesOthersAlone) {
  const TemporaryFolder folder;
  const SparseLandmarkMatrix matrix = make_case("plane", make_plane(6, 5), 8).compact();
  save_matrix(folder / "m", matrix, "{}");
  const auto file = MatrixFile::open_if_matrix(folder / "m");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->path(), folder / "m");
  expect_equal(*file->matrix().landmark_matrix(), matrix);
  EXPECT_FALSE(MatrixFile::open_if_matrix(folder.write("t.obj", "v 0 0 0\n")));
  EXPECT_FALSE(MatrixFile::open_if_matrix(folder.write("empty", "")));
  EXPECT_FALSE(MatrixFile::open_if_matrix(folder.path().string())) << "a folder";
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(MatrixFile::open_if_matrix(folder / "pipe")) << "and does not wait for a writer";
  EXPECT_THROW(MatrixFile::open_if_matrix(folder / "none"), FileError);
  const std::string bytes = contents(folder / "m");
  // What begins as one of ours is one of ours, and damaged.
  for (const std::size_t length : {std::size_t{8}, bytes.size() / 2, bytes.size() - 1})
    EXPECT_THROW(MatrixFile::open_if_matrix(folder.write("cut", bytes.substr(0, length))), FileError);
}

TEST(MatrixFile, BoundsDistancesByTheShapeInPlace) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("plane", make_plane(6, 5), 8);
  const SparseLandmarkMatrix matrix = one.compact();
  const Points fine = one.mesh.points * 1.1;  // not representable in 32 bits
  for (const Shape& shape :
       {Shape(one.mesh), Shape(TriangleMesh{fine, one.mesh.triangles}), Shape(make_plane_quads(6, 5)),
        Shape(PointCloud{fine, {}}), Shape(make_grid_graph(6, 5)),
        Shape(Samples{RowMatrix<double>::Random(30, 4)})}) {
    save_matrix(folder / "m", matrix, "{}", &shape);
    std::optional<MatrixFile> file = MatrixFile::open(folder / "m");
    const LowerBound bound = file->lower_bound(), expected = lower_bound(shape);
    file.reset();
    EXPECT_TRUE(bound.fits(30));
    EXPECT_EQ(bound.has_positions(), expected.has_positions());
    for (Index i = 0; i < 30; ++i)
      for (Index j = 0; j < 30; ++j) EXPECT_EQ(bound(i, j), expected(i, j)) << kind_name(shape);
    const SurfacePoint a{{0, 1, 6}, {0.5, 0.25, 0.25}}, b{{20, 21, 26}, {0.125, 0.5, 0.375}};
    EXPECT_EQ(bound(a, b), expected(a, b)) << kind_name(shape);
  }
  save_matrix(folder / "m", matrix, "{}");
  EXPECT_EQ(MatrixFile::open(folder / "m").lower_bound()(3, 7), 0);
}

TEST(MatrixFile, RefusesAMatrixOfNoForm) {
  const TemporaryFolder folder;
  const FullMatrix full(RowMatrix<double>::Zero(4, 4), DistanceKind::distance);
  EXPECT_THROW(save_matrix(folder / "m", full, "{}"), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "m"));
}

TEST(MatrixFile, RefusesAShapeOfAnotherSize) {
  const TemporaryFolder folder;
  const Shape other = make_sphere(3);
  EXPECT_THROW(save_matrix(folder / "m", make_case("plane", make_plane(6, 5), 8).compact(), "{}", &other),
               InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "m"));
}

TEST(MatrixFile, NumbersThatCannotBeAreRefusedThoughTheirChecksumsMatch) {
  const TemporaryFolder folder;
  const MatrixCase one = make_case("plane", make_plane(6, 5), 8);
  const auto nan = std::numeric_limits<float>::quiet_NaN();
  const auto refused = [&](const LandmarkMatrix& matrix) {
    const Shape shape = one.mesh;
    save_matrix(folder / "m", matrix, "{}", &shape);
    const MatrixFile file = MatrixFile::open(folder / "m");
    const std::vector<Index> all = everything(file.matrix().size());
    EXPECT_THROW(file.matrix().rows(all), FileError);
    EXPECT_THROW(file.verify(), FileError);
  };
  for (const float bad : {nan, std::numeric_limits<float>::infinity(), 1e30f}) {
    SparseRows P = one.P;
    P.value[7] = bad;
    refused(make_sparse_landmark_matrix(one.landmarks, P, landmark_distances(*one.solver, one.landmarks)));
    RowMatrix<float> all =
        dense_interpolation_operator(one.operators, one.landmarks.vertices, one.landmarks.cell);
    all(3, 2) = bad;
    refused(make_dense_landmark_matrix(one.landmarks, all, landmark_distances(*one.solver, one.landmarks)));
  }
  for (const float bad : {nan, -1.0f, std::numeric_limits<float>::infinity()}) {
    LandmarkDistances W = landmark_distances(*one.solver, one.landmarks);
    const auto measured = std::get<std::span<const float>>(W.values);
    std::vector<float> values(measured.begin(), measured.end());
    values[5] = bad;
    W.values = std::span<const float>(values);
    refused(make_sparse_landmark_matrix(one.landmarks, one.P, W));
  }
}

}  // namespace
}  // namespace geodome::internal
