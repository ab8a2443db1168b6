#pragma once
/// The header of a PLY file: which elements follow, with which properties, in which encoding.

#include <cstdint>
#include <string>
#include <vector>

#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };

std::size_t size_of(PlyType type);

/// The value at `bytes`. Every PLY type fits into a double exactly.
double load_ply_value(PlyType type, const char* bytes, ByteOrder order);

struct PlyProperty {
  std::string name;
  PlyType type = PlyType::float32;
  bool is_list = false;
  PlyType count_type = PlyType::uint8;  ///< of a list
};

struct PlyElement {
  std::string name;
  std::int64_t rows = 0;
  std::vector<PlyProperty> properties;

  /// The place of the first property with one of the names, or -1.
  int find(std::initializer_list<std::string_view> names) const;
  bool has_lists() const;
  /// The least number of bytes a row takes in a binary file: exact without lists, lists taken as empty.
  std::size_t least_row_bytes() const;
};

enum class PlyEncoding { ascii, little_endian, big_endian };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::ascii;
  std::vector<PlyElement> elements;
  std::size_t body = 0;  ///< the first byte behind the header
};

/// Throws FileError for anything that is not a PLY header, or for rows that cannot fit into the file.
PlyHeader read_ply_header(const InputFile& file);

}  // namespace geodome::internal
