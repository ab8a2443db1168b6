#pragma once
/// A file that lives in memory only, for library functions that take a path.

#include <string>
#include <string_view>

namespace geodome::fuzz {

class MemoryFile {
 public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// Replaces the content. Nothing may have the file mapped.
  void store(std::string_view bytes);
  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace geodome::fuzz
