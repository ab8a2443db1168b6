// IDX, the format of MNIST and its relatives: two zero bytes, a type, the number of dimensions, each size as
// a big-endian 32-bit integer, then the numbers. The first dimension counts the samples; the others are
// flattened.

#include <cstdint>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/numbers.h"
#include "geodome/shape/io/parse/scan.h"

namespace geodome::internal {
namespace {

struct IdxType {
  unsigned char code;
  NumberType type;
};

constexpr IdxType idx_types[] = {{0x08, NumberType::uint8},   {0x09, NumberType::int8},
                                 {0x0B, NumberType::int16},   {0x0C, NumberType::int32},
                                 {0x0D, NumberType::float32}, {0x0E, NumberType::float64}};

const IdxType* find_type(const InputFile& file) {
  const std::string& bytes = file.content;
  if (bytes.size() < 8 || bytes[0] != 0 || bytes[1] != 0 || bytes[3] < 1 || bytes[3] > 8) return nullptr;
  for (const IdxType& candidate : idx_types) {
    if (candidate.code == static_cast<unsigned char>(bytes[2])) return &candidate;
  }
  return nullptr;
}

}  // namespace

Match recognise_idx(const InputFile& file) {
  return find_type(file) != nullptr ? Match::certain : Match::no;
}

Shape read_idx(const InputFile& file) {
  ByteCursor cursor(file, ByteOrder::big);
  const IdxType* type = find_type(file);
  if (type == nullptr)
    cursor.fail("an IDX file begins with 00 00, a type and the number of dimensions (1 to 8)");
  const int dimensions = cursor.take(4, "the magic number")[3];
  const std::uint64_t rows = cursor.read<std::uint32_t>("the number of samples");
  std::uint64_t columns = 1;
  for (int d = 1; d < dimensions; ++d) {
    const std::uint64_t size = cursor.read<std::uint32_t>("a size");
    columns *= size;
    // A row must fit the file, which also keeps the product from overflowing.
    cursor.expect(columns, number_size(type->type), "numbers in each sample");
  }
  if (rows == 0 || columns == 0)
    cursor.fail(text("the array is empty: ", rows, " samples of ", columns, " numbers"));
  cursor.expect(rows, columns * number_size(type->type), "samples");
  if (cursor.remaining() != rows * columns * number_size(type->type)) {
    cursor.fail(text("declares ", rows, " samples of ", columns, " numbers, but ", cursor.remaining(),
                     " bytes follow"));
  }
  Samples samples;
  samples.values.resize(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  const char* bytes = cursor.take(cursor.remaining(), "the samples");
  decode_numbers(bytes, rows * columns, type->type, ByteOrder::big, samples.values.data());
  return samples;
}

}  // namespace geodome::internal
