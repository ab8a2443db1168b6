#pragma once
/// The header of NumPy's array file, versions 1 to 3 (numpy.lib.format): what the numbers are and where they
/// start.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "geodome/shape/io/parse/numbers.h"

namespace geodome::internal {

struct NpyHeader {
  NumberType type = NumberType::float64;
  ByteOrder order = ByteOrder::little;
  bool fortran_order = false;       ///< the first index runs fastest
  std::vector<std::int64_t> shape;  ///< each at least zero; their product fits the file
  std::size_t data_offset = 0;      ///< bytes before the first number
};

/// Whether the bytes start like an NPY file.
bool is_npy(std::string_view bytes);

/// Reads the header at the start of `bytes` and checks that a file of `file_size` bytes holds exactly the
/// array it declares. Throws FileError naming `file` and the cause: also for complex numbers, text and
/// records.
NpyHeader parse_npy_header(std::string_view bytes, std::size_t file_size, const std::string& file);

/// A version 1 header for a C-order, little-endian, two-dimensional array; `descr` is NumPy's type, such as
/// "<f8". Its length is a multiple of 64, so that the numbers are aligned in a memory map.
std::string make_npy_header(std::string_view descr, std::int64_t rows, std::int64_t columns);

}  // namespace geodome::internal
