#include <charconv>

#include "geodome/base/atomic_file.h"
#include "geodome/base/error.h"
#include "geodome/export/export.h"
#include "geodome/export/export_folder.h"

namespace geodome::internal {
namespace {

constexpr Index rows_between_reports = 4096;

template <typename Number>
void append_number(std::string& line, Number value, char after) {
  char digits[32];
  line.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  line += after;
}

/// A file with its first lines: what is in it, and its size.
class MatrixMarketFile {
 public:
  MatrixMarketFile(const std::string& path, const std::string& layout, const std::string& comment,
                   const std::vector<std::int64_t>& size)
      : file_(path) {
    line_ = text("%%MatrixMarket matrix ", layout, "\n% ", comment, "\n");
    for (const std::int64_t number : size) append_number(line_, number, ' ');
    end_line();
  }

  template <typename Number>
  void add(Number value) {
    append_number(line_, value, ' ');
  }
  void end_line() {
    line_.back() = '\n';
    file_.write(line_);
    line_.clear();
  }
  void commit() { file_.commit(); }

 private:
  AtomicFile file_;
  std::string line_;
};

/// Counted by reading: matrices differ in how they keep P.
std::int64_t count_weights(const LandmarkMatrix& matrix) {
  std::int64_t count = 0;
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    matrix.read_weights(v, row);
    count += static_cast<std::int64_t>(row.size());
  }
  return count;
}

void write_P(const LandmarkMatrix& matrix, const std::string& path, const Execution& execution) {
  MatrixMarketFile file(
      path, "coordinate real general",
      "P of K = P W P': weights, one row per vertex, one column per landmark",
      {matrix.size(), static_cast<std::int64_t>(matrix.landmarks().size()), count_weights(matrix)});
  Weights row;
  for (Index v = 0; v < matrix.size(); ++v) {
    matrix.read_weights(v, row);
    const Index c = matrix.component(v), first = c >= 0 ? matrix.first_landmark(c) : 0;
    for (std::size_t k = 0; k < row.size(); ++k) {
      file.add(v + 1);
      file.add(first + row.column[k] + 1);
      file.add(static_cast<float>(row.value[k]));
      file.end_line();
    }
    if (v % rows_between_reports == 0)
      execution.report("export", static_cast<double>(v) / static_cast<double>(matrix.size()));
  }
  file.commit();
}

/// W as floats unless it is stored as doubles: they read back as what is stored, in half the digits.
void add_distance(MatrixMarketFile& file, const LandmarkMatrix& matrix, double distance) {
  if (std::holds_alternative<std::span<const float>>(matrix.landmark_arrays().W))
    file.add(static_cast<float>(distance));
  else
    file.add(distance);
  file.end_line();
}

void write_whole_W(const LandmarkMatrix& matrix, const std::string& path) {
  const std::int64_t count = matrix.W(0).size();
  MatrixMarketFile file(path, "array real symmetric", "distances between landmarks", {count, count});
  for (Index column = 0; column < count; ++column)
    for (Index row = column; row < count; ++row) add_distance(file, matrix, matrix.W(0)(row, column));
  file.commit();
}

void write_W_by_component(const LandmarkMatrix& matrix, const std::string& path) {
  std::int64_t entries = 0;
  for (Index c = 0; c < matrix.components(); ++c) entries += packed_size(matrix.W(c).size());
  const auto count = static_cast<std::int64_t>(matrix.landmarks().size());
  MatrixMarketFile file(path, "coordinate real symmetric",
                        "distances between landmarks; missing entries: different components",
                        {count, count, entries});
  for (Index c = 0; c < matrix.components(); ++c) {
    const Index first = matrix.first_landmark(c) + 1;
    for (Index row = 0; row < matrix.W(c).size(); ++row)
      for (Index column = 0; column <= row; ++column) {
        file.add(first + row);
        file.add(first + column);
        add_distance(file, matrix, matrix.W(c)(row, column));
      }
  }
  file.commit();
}

void write_landmarks(const LandmarkMatrix& matrix, const std::string& path) {
  MatrixMarketFile file(path, "array integer general",
                        "vertex of each landmark (column of P, row of W), numbered from 0",
                        {static_cast<std::int64_t>(matrix.landmarks().size()), 1});
  for (const Index vertex : matrix.landmarks()) {
    file.add(vertex);
    file.end_line();
  }
  file.commit();
}

}  // namespace

std::vector<std::string> export_factors(const LandmarkMatrix& matrix, const std::string& folder,
                                        const Execution& execution) {
  const std::vector<std::string> paths = files_in_folder(folder, {"P.mtx", "W.mtx", "landmarks.mtx"});
  write_P(matrix, paths[0], execution);
  if (matrix.components() == 1)
    write_whole_W(matrix, paths[1]);
  else
    write_W_by_component(matrix, paths[1]);
  write_landmarks(matrix, paths[2]);
  execution.report("export", 1);
  return paths;
}

}  // namespace geodome::internal
