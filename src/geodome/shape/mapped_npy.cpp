#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/npy.h"
#include "geodome/shape/npy_header.h"

namespace geodome {
namespace {

struct Map {
  const char* bytes;
  std::size_t length;
};

Map map_file(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  const bool opened = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  const std::size_t length = opened ? static_cast<std::size_t>(status.st_size) : 0;
  void* bytes = MAP_FAILED;
  if (opened && S_ISREG(status.st_mode) && length > 0) {
    bytes = ::mmap(nullptr, length, PROT_READ, MAP_PRIVATE, descriptor, 0);
  }
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (opened && (length == 0 || !S_ISREG(status.st_mode))) {
    throw FileError(text("cannot map '", path, "': it is empty or not a regular file"));
  }
  if (bytes == MAP_FAILED) {
    throw FileError(text("cannot map '", path, "': ", std::generic_category().message(error)));
  }
  return {static_cast<const char*>(bytes), length};
}

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

MappedNpy::MappedNpy(const std::string& path) {
  const Map map = map_file(path);
  NpyHeader header;
  try {
    header = check_header({map.bytes, map.length}, path);
  } catch (...) {
    ::munmap(const_cast<char*>(map.bytes), map.length);
    throw;
  }
  map_ = map.bytes;
  length_ = map.length;
  data_ = map.bytes + header.data_offset;
  rows_ = header.shape[0];
  columns_ = header.shape[1];
  number_bytes_ = static_cast<int>(number_size(header.type));
  big_endian_ = header.order == ByteOrder::big;
}

MappedNpy::MappedNpy(MappedNpy&& other) noexcept
    : map_(std::exchange(other.map_, nullptr)),
      length_(other.length_),
      data_(other.data_),
      rows_(other.rows_),
      columns_(other.columns_),
      number_bytes_(other.number_bytes_),
      big_endian_(other.big_endian_) {}

MappedNpy::~MappedNpy() {
  if (map_ != nullptr) ::munmap(const_cast<char*>(map_), length_);
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

}  // namespace geodome
