#include "geodome/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {

MappedFile::MappedFile(const std::string& path) : path_(path) {
  // Without O_NONBLOCK a named pipe would wait for its writer.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status = {};
  const bool opened = descriptor >= 0 && ::fstat(descriptor, &status) == 0;
  const bool mappable = opened && S_ISREG(status.st_mode) && status.st_size > 0;
  const std::size_t size = mappable ? static_cast<std::size_t>(status.st_size) : 0;
  void* map = mappable ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : MAP_FAILED;
  const int error = errno;
  if (descriptor >= 0) ::close(descriptor);
  if (opened && !mappable) {
    throw FileError(text("cannot read '", path, "': it is empty or not a regular file"));
  }
  if (map == MAP_FAILED) {
    throw FileError(text("cannot read '", path, "': ", std::generic_category().message(error)));
  }
  data_ = static_cast<const std::byte*>(map);
  size_ = size;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}

}  // namespace geodome::internal
