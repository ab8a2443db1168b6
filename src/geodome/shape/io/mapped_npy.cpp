#include "geodome/base/error.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/parse/npy_header.h"

namespace geodome::internal {
namespace {

NpyHeader check_header(std::string_view bytes, const std::string& path) {
  if (bytes.starts_with("\x1f\x8b")) {
    throw FileError(text("'", path, "' is gzipped and cannot be mapped into memory; unpack it first"));
  }
  NpyHeader header = parse_npy_header(bytes, bytes.size(), path);
  if (header.shape.size() != 2) {
    throw FileError(text("'", path, "': a matrix has two dimensions, not ", header.shape.size()));
  }
  if (header.type != NumberType::float32 && header.type != NumberType::float64) {
    throw FileError(text("'", path, "': the matrix must be of type float32 or float64"));
  }
  if (header.fortran_order && header.shape[0] > 1 && header.shape[1] > 1) {
    throw FileError(text("'", path, "' is in Fortran order; save it with numpy.ascontiguousarray"));
  }
  return header;
}

}  // namespace

MappedNpy::MappedNpy(const std::string& path) : file_(path) {
  const NpyHeader header = check_header(file_.as_text(), path);
  data_ = file_.as_text().data() + header.data_offset;
  rows_ = header.shape[0];
  columns_ = header.shape[1];
  number_bytes_ = static_cast<int>(number_size(header.type));
  big_endian_ = header.order == ByteOrder::big;
}

double MappedNpy::operator()(Eigen::Index row, Eigen::Index column) const {
  const char* bytes = data_ + (row * columns_ + column) * number_bytes_;
  const ByteOrder order = big_endian_ ? ByteOrder::big : ByteOrder::little;
  return number_bytes_ == 8 ? load_value<double>(bytes, order) : load_value<float>(bytes, order);
}

void MappedNpy::read_row(Eigen::Index row, double* out) const {
  decode_numbers(data_ + row * columns_ * number_bytes_, static_cast<std::size_t>(columns_),
                 number_bytes_ == 8 ? NumberType::float64 : NumberType::float32,
                 big_endian_ ? ByteOrder::big : ByteOrder::little, out);
}

}  // namespace geodome::internal
