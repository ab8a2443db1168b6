#include "support/numbers.h"

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/parse/lines.h"

namespace geodome::cli {

using namespace internal;

namespace {

std::int64_t to_integer(double number, const std::string& path) {
  if (!is_exact_integer(number)) throw FileError(text("'", path, "': ", number, " is not a vertex number"));
  return static_cast<std::int64_t>(number);
}

}  // namespace

bool is_exact_integer(double number) {
  constexpr double largest = 9007199254740992;
  return std::abs(number) <= largest && number == std::floor(number);
}

std::vector<std::int64_t> read_numbers(const std::string& path) {
  const InputFile file = load_file(path);
  std::vector<std::int64_t> numbers;
  if (file.content.starts_with("\x93NUMPY")) {
    const RowMatrix<double> matrix = parse_npy_matrix(file);
    for (Eigen::Index k = 0; k < matrix.size(); ++k) numbers.push_back(to_integer(matrix.data()[k], path));
    return numbers;
  }
  LineReader lines(file);
  std::vector<double> row;
  while (lines.next()) {
    if (!lines.numbers(row)) lines.fail("expected vertex numbers only");
    for (const double number : row) numbers.push_back(to_integer(number, path));
  }
  return numbers;
}

std::vector<NumberPair> read_pairs(const std::string& path) {
  const InputFile file = load_file(path);
  std::vector<NumberPair> pairs;
  if (file.content.starts_with("\x93NUMPY")) {
    const RowMatrix<double> matrix = parse_npy_matrix(file);
    if (matrix.cols() != 2)
      throw FileError(text("'", path, "' has ", matrix.cols(), " columns: pairs of vertices need 2"));
    for (Eigen::Index k = 0; k < matrix.rows(); ++k)
      pairs.push_back({to_integer(matrix(k, 0), path), to_integer(matrix(k, 1), path)});
  } else {
    LineReader lines(file);
    std::vector<double> row;
    while (lines.next()) {
      if (!lines.numbers(row)) lines.fail("expected two vertex numbers");
      if (row.size() != 2) lines.fail(text("expected two vertex numbers, got ", row.size()));
      pairs.push_back({to_integer(row[0], path), to_integer(row[1], path)});
    }
  }
  if (pairs.empty()) throw FileError(text("'", path, "' contains no pairs of vertices"));
  return pairs;
}

}  // namespace geodome::cli
