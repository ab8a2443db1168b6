#pragma once
/// MATLAB's MAT files, level 5: full real matrices, written a few columns at a time.

#include <cstdint>
#include <string>
#include <string_view>

#include "geodome/base/atomic_file.h"

namespace geodome::internal {

/// Uncompressed and little endian, which MATLAB, Octave and SciPy read [MathWorks, MAT-File Format]. The file
/// appears with `commit`.
///
///   MatFileWriter file("distances.mat");
///   file.begin_matrix<double>("K", 2, 2);
///   file.append(std::span(values));
///   file.commit();
class MatFileWriter {
 public:
  /// The most that one matrix of the format can take.
  static constexpr std::int64_t largest_matrix = (std::int64_t{1} << 31) - 1;

  /// Throws FileError if the file cannot be made.
  explicit MatFileWriter(const std::string& path);

  /// The next matrix; its numbers follow column by column. Scalar: float or double. Throws InputError where
  /// the name is not one in MATLAB (a letter, then letters, digits and underscores, 63 in all), where the
  /// matrix is too large for the format, and where the one before is not complete.
  template <typename Scalar>
  void begin_matrix(std::string_view name, std::int64_t rows, std::int64_t columns);
  template <typename Scalar>
  void append(const Scalar* values, std::int64_t count);
  void add_scalar(std::string_view name, double value);

  /// Throws InputError where numbers are missing.
  void commit();

 private:
  void require_complete() const;

  AtomicFile file_;
  std::int64_t missing_ = 0;  // bytes of the matrix begun
  std::int64_t padding_ = 0;  // bytes to follow them
  std::int64_t number_bytes_ = 0;
};

}  // namespace geodome::internal
