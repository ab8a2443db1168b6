#pragma once
/// A file that appears under its name complete or not at all: it is written under a temporary name in the
/// same folder, synced and renamed.

#include <string>
#include <string_view>

namespace geodome {

/// Throws FileError naming the path and the system's reason. Where the target exists and is not a regular
/// file (a terminal, a pipe, anything in /dev) it is written directly. A link is followed, and an existing
/// file's permissions are kept.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  /// Removes the temporary file unless `commit` succeeded.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Writes what is left, syncs, and gives the file its name. Nothing can be written afterwards.
  void commit();

 private:
  void flush(std::string_view bytes);
  [[noreturn]] void fail(const std::string& action) const;

  std::string path_;       // as the caller gave it
  std::string target_;     // with links followed
  std::string temporary_;  // empty if the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

}  // namespace geodome
