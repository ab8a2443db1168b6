#include "geodome/geodesic/precomputed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "geodesic/random_graph.h"
#include "geodome/base/error.h"
#include "geodome/geodesic/dijkstra.h"

namespace geodome::internal {
namespace {

/// A file that is gone when the test is.
class GivenDistancesTest : public ::testing::Test {
 protected:
  GivenDistancesTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::temp_directory_path() / (std::string("geodome_given_") + test->name() + ".npy");
  }
  ~GivenDistancesTest() override { std::filesystem::remove(path_); }

  PrecomputedDistances open(const RowMatrix<double>& matrix) {
    write_npy(matrix, path_);
    return PrecomputedDistances(path_);
  }

  std::string refusal(const RowMatrix<double>& matrix) {
    try {
      open(matrix);
    } catch (const FileError& error) {
      return error.what();
    }
    return "";
  }

  std::string path_;
};

RowMatrix<double> all_rows(const GeodesicSolver& solver) {
  std::vector<Index> all(static_cast<std::size_t>(solver.size()));
  std::iota(all.begin(), all.end(), 0);
  RowMatrix<double> rows(solver.size(), solver.size());
  solver.distances(all, rows);
  return rows;
}

RowMatrix<double> example(Index size = 70) {
  const Graph graph = testing::random_graph(size, size, 2);
  return all_rows(DijkstraSolver(make_adjacency(graph.vertices, graph.edges)));
}

TEST_F(GivenDistancesTest, RowsAreThoseOfTheFile) {
  const RowMatrix<double> matrix = example();
  EXPECT_TRUE((matrix.array() == infinity).any());
  EXPECT_EQ(all_rows(open(matrix)), matrix);
  write_npy(RowMatrix<float>(matrix.cast<float>()), path_);
  EXPECT_EQ(all_rows(PrecomputedDistances(path_)), RowMatrix<double>(matrix.cast<float>().cast<double>()));
}

TEST_F(GivenDistancesTest, BallsAndBlocksFollow) {
  const RowMatrix<double> matrix = example();
  const PrecomputedDistances solver = open(matrix);
  const std::vector<Index> from{3, 60, 3}, to{1, 2, 69, 40};
  const RowMatrix<double> block = solver.between(from, to);
  for (Index a = 0; a < 3; ++a)
    for (Index b = 0; b < 4; ++b) EXPECT_EQ(block(a, b), matrix(from[a], to[b]));
  EXPECT_EQ(static_cast<Eigen::Index>(solver.within(5, 4).size()), (matrix.row(5).array() <= 4).count());
}

TEST_F(GivenDistancesTest, NamesTheEntryThatIsNoDistance) {
  RowMatrix<double> matrix = example();
  matrix(0, 7) = matrix(7, 0) = -1;
  EXPECT_NE(refusal(matrix).find("entry (0, 7) is -1"), std::string::npos);
  matrix(0, 7) = matrix(7, 0) = NAN;
  EXPECT_NE(refusal(matrix).find("entry (0, 7) is nan"), std::string::npos);
  matrix = example();
  matrix(0, 0) = 0.5;
  EXPECT_NE(refusal(matrix).find("entry (0, 0) is 0.5"), std::string::npos);
  matrix = example();
  matrix(0, 3) = 5;
  matrix(3, 0) = infinity;
  EXPECT_NE(refusal(matrix).find("entry (0, 3) is 5 but entry (3, 0) is inf"), std::string::npos);
}

TEST_F(GivenDistancesTest, ChecksRowsOutsideTheSampleWhenTheyAreRead) {
  RowMatrix<double> matrix = example();
  matrix(1, 7) = matrix(7, 1) = -1;
  const PrecomputedDistances solver = open(matrix);
  RowMatrix<double> row(1, solver.size());
  const std::vector<Index> good{2}, bad{1};
  EXPECT_NO_THROW(solver.distances(good, row));
  EXPECT_THROW(solver.distances(bad, row), FileError);
}

TEST_F(GivenDistancesTest, SmallAsymmetryIsLeftAlone) {
  RowMatrix<double> matrix = example();
  const RowMatrix<double> before = matrix;
  for (Index a = 0; a < matrix.rows(); ++a)
    for (Index b = 0; b < a; ++b) matrix(a, b) *= 1.002;
  EXPECT_EQ(refusal(matrix), "");
  for (Index a = 0; a < matrix.rows(); ++a)
    for (Index b = 0; b < a; ++b) matrix(a, b) = 1.1 * before(a, b);
  EXPECT_NE(refusal(matrix).find("symmetric"), std::string::npos);
}

TEST_F(GivenDistancesTest, RefusesWhatIsNotSquareOrNotThere) {
  EXPECT_NE(refusal(RowMatrix<double>::Zero(3, 4)).find("3 by 4"), std::string::npos);
  EXPECT_THROW(PrecomputedDistances("/nonexistent/d.npy"), FileError);
  const PrecomputedDistances solver = open(example());
  RowMatrix<double> row(1, solver.size());
  const std::vector<Index> beyond{solver.size()};
  EXPECT_THROW(solver.distances(beyond, row), InputError);
  RowMatrix<double> narrow(1, 3);
  const std::vector<Index> first{0};
  EXPECT_THROW(solver.distances(first, narrow), InputError);
}

TEST(CalledDistancesTest, RowsAreThoseOfTheFunctionAndAreChecked) {
  const RowMatrix<double> matrix = example(40);
  const auto from = [](const RowMatrix<double>& values) {
    return CallbackDistances(static_cast<Index>(values.rows()), [&](Index source, std::span<double> out) {
      for (std::size_t v = 0; v < out.size(); ++v) out[v] = values(source, static_cast<Eigen::Index>(v));
    });
  };
  EXPECT_EQ(all_rows(from(matrix)), matrix);
  RowMatrix<double> bad = matrix;
  bad(3, 5) = -1;
  EXPECT_THROW(all_rows(from(bad)), InputError);
  bad(3, 5) = std::nan("");
  EXPECT_THROW(all_rows(from(bad)), InputError);
  bad = matrix;
  bad(7, 7) = 1;
  EXPECT_THROW(all_rows(from(bad)), InputError);
}

}  // namespace
}  // namespace geodome::internal
