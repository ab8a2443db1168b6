#pragma once
/// Matrices in NumPy's NPY files: read whole, written whole or row by row, and mapped into memory.

#include <cstdint>
#include <memory>
#include <string>

#include "geodome/base/mapped_file.h"
#include "geodome/base/types.h"

namespace geodome::internal {

class AtomicFile;
struct InputFile;

/// The matrix in the file, of any real, integer or boolean type, byte order and index order; a
/// one-dimensional array is a column. May be gzipped. Throws FileError naming the file and the cause, also
/// for an empty array. Cost: time and memory in proportion to the file.
RowMatrix<double> read_npy_matrix(const std::string& path);
/// The same of a file already in memory.
RowMatrix<double> parse_npy_matrix(const InputFile& file);

/// Writes a matrix in C order, little endian. Throws FileError.
void write_npy(const Eigen::Ref<const RowMatrix<double>>& matrix, const std::string& path);
void write_npy(const Eigen::Ref<const RowMatrix<float>>& matrix, const std::string& path);
void write_npy(const Eigen::Ref<const RowMatrix<std::int32_t>>& matrix, const std::string& path);
void write_npy(const Eigen::Ref<const RowMatrix<std::int64_t>>& matrix, const std::string& path);

/// Writes a matrix that never is in memory as a whole, a few rows at a time. The file appears with `commit`.
/// Scalar: double, float, std::int32_t or std::int64_t.
template <typename Scalar>
class NpyWriter {
 public:
  /// Throws FileError if the file cannot be made.
  NpyWriter(const std::string& path, std::int64_t rows, std::int64_t columns);
  ~NpyWriter();

  /// The next rows: any number by `columns`. Throws InputError where they do not fit.
  void append(const Eigen::Ref<const RowMatrix<Scalar>>& rows);
  /// Gives the file its name. Throws InputError where rows are missing.
  void commit();

 private:
  std::unique_ptr<AtomicFile> file_;
  std::int64_t rows_;
  std::int64_t columns_;
  std::int64_t written_ = 0;
};

/// A matrix of 32- or 64-bit floats, in C order, that stays in its file: opening costs nothing, reading a row
/// costs that row. const and thread-safe. The file must not be changed or shortened while it is open.
class MappedNpy {
 public:
  /// Throws FileError naming the file and the cause: also if its length differs from what its header says, if
  /// it is gzipped, in Fortran order, or of another type.
  explicit MappedNpy(const std::string& path);

  Eigen::Index rows() const { return rows_; }
  Eigen::Index columns() const { return columns_; }
  /// Bytes of one number: 4 or 8.
  int number_bytes() const { return number_bytes_; }

  double operator()(Eigen::Index row, Eigen::Index column) const;
  /// Copies a row to `out`, which holds `columns()` numbers.
  void read_row(Eigen::Index row, double* out) const;

 private:
  MappedFile file_;
  const char* data_ = nullptr;  // its first number
  Eigen::Index rows_ = 0;
  Eigen::Index columns_ = 0;
  int number_bytes_ = 0;
  bool big_endian_ = false;
};

}  // namespace geodome::internal
