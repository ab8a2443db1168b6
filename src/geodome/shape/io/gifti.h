#pragma once
/// GIFTI, the XML format of brain surfaces and of values on them (Geometry Format for Neuroimaging, 2007).
/// Arrays are found by their intent, never by their position. ASCII, Base64Binary and GZipBase64Binary, both
/// byte orders, both index orders; also Endian="GIFTI_ENDIAN_LITTLE" and unsigned or 64-bit triangles, which
/// the standard does not know but pycortex and others write. Arrays kept in a second file are refused.
/// Coordinate system transforms are not applied: the points are the ones stored.

#include <string>
#include <string_view>
#include <vector>

#include "geodome/shape/io/parse/input_file.h"
#include "geodome/shape/io/parse/numbers.h"
#include "geodome/shape/shape.h"

namespace geodome::internal {

/// One DataArray, still encoded, so that a file is opened for the cost of finding its tags.
struct GiftiArray {
  enum class Encoding { ascii, base64, gzip_base64 };
  std::string intent;  ///< such as NIFTI_INTENT_POINTSET
  NumberType type = NumberType::float32;
  Encoding encoding = Encoding::ascii;
  ByteOrder order = ByteOrder::little;
  bool column_major = false;
  std::int64_t rows = 0;     ///< Dim0
  std::int64_t columns = 1;  ///< product of the other dimensions
  std::string data;          ///< the text between <Data> and </Data>
};

/// Every array of the file. Throws FileError naming the file and the cause.
std::vector<GiftiArray> parse_gifti(const InputFile& file);

/// The numbers: rows by columns. Throws FileError where the text does not hold exactly that many, before
/// allocating more than in proportion to the text.
RowMatrix<double> decode_gifti(const GiftiArray& array, const InputFile& file);

}  // namespace geodome::internal
