#pragma once
/// A whole file seen as memory, read only: opening costs nothing, and only what is touched is read.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace geodome::internal {

/// The file must not be shortened or changed in place while it is open; one that is replaced by another (as
/// AtomicFile does) stays readable here. Moving it does not move its bytes.
class MappedFile {
 public:
  /// Throws FileError naming the path and the cause: also for an empty file and for anything but a file.
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&&) = delete;

  const std::string& path() const { return path_; }
  std::size_t size() const { return size_; }
  std::span<const std::byte> bytes() const { return {data_, size_}; }
  std::string_view as_text() const { return {reinterpret_cast<const char*>(data_), size_}; }

 private:
  std::string path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace geodome::internal
