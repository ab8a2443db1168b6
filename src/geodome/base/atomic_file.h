#pragma once
/// A file that appears under its name complete or not at all: it is written under a temporary name in the
/// same folder, synced and renamed.

#include <mutex>
#include <string>
#include <string_view>

#include "geodome/base/error.h"

namespace geodome::internal {

/// A file that was opened for writing cannot be completed: no space left, a limit on file sizes, a reader
/// that is gone.
class WriteError : public FileError {
 public:
  using FileError::FileError;
};

/// Throws FileError naming the path and the system's reason, WriteError once writing has begun. Where the
/// target exists and is not a regular file (a terminal, a pipe, a character device) it is written directly;
/// folders and block devices are refused. Links are followed, also those to files that do not exist yet, and
/// an existing file's permissions are kept.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  /// Removes the temporary file unless `commit` succeeded.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  /// The file that is being written, which others may write to as well; empty where it is the target itself.
  const std::string& temporary() const { return temporary_; }

  void write(std::string_view bytes);
  /// Writes what is left, syncs, and gives the file its name. Nothing can be written afterwards.
  void commit();

 private:
  void flush(std::string_view bytes);
  void create_temporary();
  void rename_temporary();

  std::string path_;       // as the caller gave it
  std::string target_;     // with links followed
  std::string temporary_;  // empty if the target is written directly
  std::string buffer_;
  int descriptor_ = -1;
};

/// The path with all links followed that its last component leads through, whether or not the file at the end
/// exists. Throws FileError where links form a loop.
std::string follow_links(const std::string& path);

/// Removes the temporary files of all AtomicFile objects of this process, whose `commit` fails from then on.
/// For a process that is about to end without running destructors. While the result lives, other threads that
/// create or commit an AtomicFile wait.
std::unique_lock<std::mutex> remove_temporary_files();

}  // namespace geodome::internal
