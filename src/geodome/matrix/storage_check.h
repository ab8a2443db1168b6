#pragma once
/// How arrays in a file are checked when they are first read, not all at once when it is opened.

#include <cstddef>
#include <span>

namespace geodome::internal {

/// Asked before stored numbers are read. Const and thread-safe.
class StorageCheck {
 public:
  virtual ~StorageCheck() = default;
  /// Throws FileError where these bytes are damaged. Cost: next to nothing once they were found sound.
  virtual void verify(const void* begin, std::size_t bytes) const = 0;
};

/// Nothing to do for arrays in memory, which have no check.
template <typename T>
void verify(const StorageCheck* check, std::span<const T> numbers) {
  if (check != nullptr && !numbers.empty()) check->verify(numbers.data(), numbers.size_bytes());
}

}  // namespace geodome::internal
