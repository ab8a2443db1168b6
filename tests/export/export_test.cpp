#include "geodome/export/export.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "geodome/base/error.h"
#include "geodome/shape/io/npy.h"
#include "matrix/matrix_cases.h"
#include "temporary_folder.h"

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

std::string content(const std::string& path) {
  std::ostringstream all;
  all << std::ifstream(path, std::ios::binary).rdbuf();
  return all.str();
}

/// An entry for every pair, as rounded to 32 bits.
RowMatrix<double> rounded(const RowMatrix<double>& K) {
  return K.cast<float>().cast<double>();
}

std::size_t files_in(const TemporaryFolder& folder) {
  const auto files = std::filesystem::directory_iterator(folder.path());
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(Export, NpyHoldsEveryDistance) {
  for (const MatrixCase& one : matrix_cases())
    for (const QueryMode form : {QueryMode::near_field, QueryMode::raw}) {
      const TemporaryFolder folder;
      const SparseLandmarkMatrix matrix = one.compact();
      const NearField field(matrix, one.mesh.points, form);
      const RowMatrix<double> expected = field.rows(everything(one.size()));
      export_npy(field, folder / "K.npy", ExportPrecision::float64);
      const RowMatrix<double> K = read_npy_matrix(folder / "K.npy");
      EXPECT_LT(difference(K, expected), 1e-12) << one.name;
      export_npy(field, folder / "K.npy");
      EXPECT_EQ(read_npy_matrix(folder / "K.npy"), rounded(K)) << one.name;
      const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(folder / "K.npy"));
      EXPECT_EQ(bytes - square_bytes(one.size(), ExportPrecision::float32), 128) << "the header";
      EXPECT_EQ(files_in(folder), 1u);
    }
}

TEST(Export, CsvHoldsEveryDistance) {
  for (const MatrixCase& one : matrix_cases()) {
    const TemporaryFolder folder;
    const SparseLandmarkMatrix matrix = one.compact();
    const NearField field(matrix, one.mesh.points);
    export_npy(field, folder / "K.npy");
    export_csv(field, folder / "K.csv");
    const RowMatrix<double> expected = read_npy_matrix(folder / "K.npy");
    std::istringstream lines(content(folder / "K.csv"));
    std::string line, number;
    int wrong = 0;
    for (Index i = 0; i < one.size(); ++i) {
      ASSERT_TRUE(std::getline(lines, line));
      std::istringstream numbers(line);
      for (Index j = 0; j < one.size(); ++j) {
        ASSERT_TRUE(std::getline(numbers, number, ','));
        wrong += std::stof(number) != static_cast<float>(expected(i, j));
      }
      EXPECT_FALSE(std::getline(numbers, number, ','));
    }
    EXPECT_EQ(wrong, 0) << one.name;
    EXPECT_FALSE(std::getline(lines, line));
    EXPECT_LE(content(folder / "K.csv").size(), static_cast<std::size_t>(csv_bytes(one.size()))) << one.name;
  }
}

/// Reads back what export_factors writes, entry by entry.
struct MatrixMarket {
  std::string layout;
  Eigen::MatrixXd values;
  std::int64_t entries = 0;
};

MatrixMarket read_matrix_market(const std::string& path) {
  std::ifstream file(path);
  MatrixMarket result;
  std::string line;
  std::getline(file, result.layout);
  while (file.peek() == '%') std::getline(file, line);
  Eigen::Index rows = 0, columns = 0;
  file >> rows >> columns;
  result.values.setConstant(rows, columns, std::nan(""));
  const bool symmetric = result.layout.ends_with("symmetric");
  const auto set = [&](Eigen::Index r, Eigen::Index c, double value) {
    EXPECT_TRUE(std::isnan(result.values(r, c))) << "an entry twice";
    result.values(r, c) = value;
    if (symmetric) result.values(c, r) = value;
    ++result.entries;
  };
  double value = 0;
  if (result.layout.find(" coordinate ") != std::string::npos) {
    std::int64_t promised = 0;
    Eigen::Index r = 0, c = 0;
    file >> promised;
    while (file >> r >> c >> value) set(r - 1, c - 1, value);
    EXPECT_EQ(result.entries, promised);
  } else {
    for (Eigen::Index c = 0; c < columns; ++c)
      for (Eigen::Index r = symmetric ? c : 0; r < rows; ++r) {
        EXPECT_TRUE(file >> value);
        set(r, c, value);
      }
    EXPECT_FALSE(file >> value);
  }
  return result;
}

/// P W Pᵀ of what was written, infinite where P or W has nothing.
Eigen::MatrixXd product(const Eigen::MatrixXd& P, const Eigen::MatrixXd& W) {
  const auto known = [](const Eigen::MatrixXd& M) -> Eigen::MatrixXd {
    return M.unaryExpr([](double x) { return std::isnan(x) ? 0.0 : x; });
  };
  const auto pattern = [](const Eigen::MatrixXd& M) -> Eigen::MatrixXd {
    return M.unaryExpr([](double x) { return std::isnan(x) ? 0.0 : 1.0; });
  };
  Eigen::MatrixXd K = known(P) * known(W) * known(P).transpose();
  const Eigen::MatrixXd joined = pattern(P) * pattern(W) * pattern(P).transpose();
  for (Eigen::Index i = 0; i < K.rows(); ++i)
    for (Eigen::Index j = 0; j < K.cols(); ++j)
      if (joined(i, j) == 0) K(i, j) = i == j ? 0 : infinity;
  return K;
}

void expect_factors(const LandmarkMatrix& matrix, const std::string& name) {
  const TemporaryFolder folder;
  const std::vector<std::string> paths = export_factors(matrix, folder / "factors");
  ASSERT_EQ(paths.size(), 3u);
  const MatrixMarket P = read_matrix_market(paths[0]), W = read_matrix_market(paths[1]),
                     landmarks = read_matrix_market(paths[2]);
  EXPECT_EQ(P.layout, "%%MatrixMarket matrix coordinate real general") << name;
  EXPECT_EQ(landmarks.layout, "%%MatrixMarket matrix array integer general") << name;
  ASSERT_EQ(landmarks.entries, static_cast<std::int64_t>(matrix.landmarks().size()));
  for (std::size_t k = 0; k < matrix.landmarks().size(); ++k)
    EXPECT_EQ(landmarks.values(static_cast<Eigen::Index>(k), 0), matrix.landmarks()[k]);
  const Eigen::MatrixXd expected = matrix.distance_rows(everything(matrix.size()));
  EXPECT_LT(difference(product(P.values, W.values), expected), 1e-6) << name;  // digits of 32-bit floats
}

TEST(Export, TheFactorsGiveTheMatrixBack) {
  for (const MatrixCase& one : matrix_cases()) {
    for (const Precision precision : {Precision::float32, Precision::uint16, Precision::float64})
      expect_factors(one.compact(precision), one.name);
    expect_factors(one.dense(), one.name + ", dense");
  }
}

/// Rows as they should be: kept vertices only, sorted, itself first.
void expect_brainsmash(const MatrixCase& one, Index neighbours) {
  const TemporaryFolder folder;
  const SparseLandmarkMatrix matrix = one.compact();
  const NearField field(matrix, one.mesh.points);
  std::vector<Index> kept;
  for (Index v = 0; v < one.size(); ++v)
    if (matrix.component(v) >= 0) kept.push_back(v);
  const bool masked = static_cast<Index>(kept.size()) < one.size();
  const auto paths = export_brainsmash(field, folder / "b", {neighbours});
  ASSERT_EQ(paths.size(), masked ? 3u : 2u);
  const RowMatrix<double> D = read_npy_matrix(paths[0]), index = read_npy_matrix(paths[1]);
  const auto length = neighbours == 0 ? static_cast<Eigen::Index>(kept.size()) : neighbours + 1;
  ASSERT_EQ(D.rows(), static_cast<Eigen::Index>(kept.size()));
  ASSERT_EQ(D.cols(), length);
  ASSERT_EQ(index.cols(), length);
  EXPECT_EQ(brainsmash_bytes(D.rows(), {neighbours}), 8 * D.size());
  export_npy(field, folder / "K.npy");
  const RowMatrix<double> K = read_npy_matrix(folder / "K.npy");
  for (Eigen::Index i = 0; i < D.rows(); ++i) {
    EXPECT_EQ(index(i, 0), i);
    EXPECT_EQ(D(i, 0), 0);
    std::vector<double> row;
    for (const Index v : kept) row.push_back(K(kept[i], v));
    std::sort(row.begin(), row.end());
    for (Eigen::Index k = 0; k < length; ++k) {
      EXPECT_EQ(D(i, k), row[static_cast<std::size_t>(k)]);
      EXPECT_EQ(D(i, k), K(kept[i], kept[static_cast<std::size_t>(index(i, k))]));
    }
  }
  if (masked) {
    std::string expected;
    for (Index v = 0; v < one.size(); ++v) expected += matrix.component(v) < 0 ? "1\n" : "0\n";
    EXPECT_EQ(content(paths[2]), expected);
  }
}

TEST(Export, BrainsmashHasSortedRows) {
  for (const MatrixCase& one : matrix_cases()) expect_brainsmash(one, 20);
  expect_brainsmash(make_case("torus", make_torus(24, 11), 30), 0);
}

TEST(Export, BrainsmashRefusesVerticesThatReachTooFew) {
  const MatrixCase one = std::move(matrix_cases().back());
  const SparseLandmarkMatrix matrix = one.compact();
  const TemporaryFolder folder;
  EXPECT_THROW(export_brainsmash(NearField(matrix), folder / "b", {0}), InputError);
  EXPECT_THROW(export_brainsmash(NearField(matrix), folder / "b", {-1}), InputError);
  EXPECT_FALSE(std::filesystem::exists(folder / "b/distmat.npy"));
}

TEST(Export, LeavesNothingBehindWhenCancelled) {
  const MatrixCase one = make_case("plane", make_plane(17, 14), 30);
  const SparseLandmarkMatrix matrix = one.compact();
  const NearField field(matrix);
  const Execution stop{1, [](std::string_view stage, double) {
                         EXPECT_EQ(stage, "export");
                         return false;
                       }};
  const TemporaryFolder folder;
  const std::string old = folder.write("K.npy", "old");
  EXPECT_THROW(export_npy(field, old, ExportPrecision::float32, stop), Cancelled);
  EXPECT_EQ(content(old), "old");
  EXPECT_THROW(export_csv(field, folder / "K.csv", stop), Cancelled);
  EXPECT_THROW(export_mat(field, {}, folder / "K.mat", ExportPrecision::float32, stop), Cancelled);
  EXPECT_THROW(export_brainsmash(field, folder.path().string(), {20}, stop), Cancelled);
  EXPECT_THROW(export_factors(matrix, folder.path().string(), stop), Cancelled);
  EXPECT_EQ(files_in(folder), 1u);
}

TEST(Export, SaysWhereItCannotWrite) {
  const MatrixCase one = make_case("plane", make_plane(12, 11), 20);
  const SparseLandmarkMatrix matrix = one.compact();
  const TemporaryFolder folder;
  EXPECT_THROW(export_npy(NearField(matrix), folder / "none/K.npy"), FileError);
  folder.write("file", "in the way");
  EXPECT_THROW(export_factors(matrix, folder / "file"), FileError);
}

}  // namespace
}  // namespace geodome::internal
