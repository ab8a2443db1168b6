#include <charconv>

#include "geodome/base/atomic_file.h"
#include "geodome/export/export.h"
#include "geodome/export/export_rows.h"
#include "geodome/export/mat_file.h"
#include "geodome/shape/io/npy.h"

namespace geodome::internal {
namespace {

template <typename Scalar>
void write_npy_rows(const DistanceMatrix& distances, const std::string& path, const Execution& execution) {
  NpyWriter<Scalar> writer(path, distances.size(), distances.size());
  for_each_row_block(distances, all_vertices(distances), execution,
                     [&](std::span<const Index>, const RowMatrix<double>& rows) {
                       writer.append(rows.template cast<Scalar>());
                     });
  writer.commit();
}

/// The matrix is symmetric, so its rows are the columns that the format wants.
template <typename Scalar>
void write_mat_columns(const DistanceMatrix& distances, std::optional<double> area, const std::string& path,
                       const Execution& execution) {
  MatFileWriter writer(path);
  writer.begin_matrix<Scalar>("geodist", distances.size(), distances.size());
  const auto append = [&](const RowMatrix<Scalar>& numbers) {
    writer.append(numbers.data(), numbers.size());
  };
  for_each_row_block(
      distances, all_vertices(distances), execution,
      [&](std::span<const Index>, const RowMatrix<double>& rows) { append(rows.template cast<Scalar>()); });
  if (area) writer.add_scalar("sqrt_area", std::sqrt(*area));
  writer.commit();
}

/// Digits of a 32-bit float, with sign, point, exponent and comma, at most; mostly somewhat fewer.
constexpr std::int64_t csv_bytes_per_number = 11;

}  // namespace

std::int64_t square_bytes(std::int64_t size, ExportPrecision precision) {
  return size * size * (precision == ExportPrecision::float32 ? 4 : 8);
}

std::int64_t csv_bytes(std::int64_t size) {
  return size * size * csv_bytes_per_number;
}

void export_npy(const DistanceMatrix& distances, const std::string& path, ExportPrecision precision,
                const Execution& execution) {
  if (precision == ExportPrecision::float32)
    write_npy_rows<float>(distances, path, execution);
  else
    write_npy_rows<double>(distances, path, execution);
}

void export_mat(const DistanceMatrix& distances, std::optional<double> area, const std::string& path,
                ExportPrecision precision, const Execution& execution) {
  if (precision == ExportPrecision::float32)
    write_mat_columns<float>(distances, area, path, execution);
  else
    write_mat_columns<double>(distances, area, path, execution);
}

void export_csv(const DistanceMatrix& distances, const std::string& path, const Execution& execution) {
  AtomicFile file(path);
  std::string line;
  const auto write_lines = [&](std::span<const Index>, const RowMatrix<double>& rows) {
    for (const auto row : rows.rowwise()) {
      line.clear();
      for (const double distance : row) {
        char digits[32];
        const auto end = std::to_chars(digits, digits + sizeof digits, static_cast<float>(distance)).ptr;
        line.append(digits, end);
        line += ',';
      }
      line.back() = '\n';
      file.write(line);
    }
  };
  for_each_row_block(distances, all_vertices(distances), execution, write_lines);
  file.commit();
}

}  // namespace geodome::internal
