#include "geodome/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "geodome/base/error.h"

namespace geodome {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t buffer_size = std::size_t{1} << 20;

/// Unique among all processes and threads that write to this folder from this machine.
std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> counter{0};
  const fs::path path(target);
  const std::string name = text(".", path.filename().string(), ".", ::getpid(), "-", counter++, ".tmp");
  return (path.parent_path() / name).string();
}

/// After a rename the folder must be synced too. Some file systems cannot, which is no reason to fail.
void sync_folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
  // A device's name, such as /dev/stdout, may be a link to a file someone else has open: that one is meant.
  const bool is_device = path.starts_with("/dev/");
  std::error_code missing;
  const fs::path followed = fs::canonical(path, missing);
  if (!missing && !is_device) target_ = followed.string();

  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw FileError(text("cannot write '", path_, "': it is a folder"));
  if (exists && (is_device || !S_ISREG(status.st_mode))) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("open");
    return;
  }
  // Renaming needs leave to write to the folder only; a file that is protected stays so.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail("write");
  temporary_ = temporary_name(target_);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create");
  if (exists) static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > buffer_size) {
    flush(buffer_);
    buffer_.clear();
  }
  if (bytes.size() > buffer_size) {
    flush(bytes);
  } else {
    buffer_ += bytes;
  }
}

void AtomicFile::flush(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  flush(buffer_);
  buffer_.clear();
  if (!temporary_.empty()) {
    if (::fsync(descriptor_) != 0) fail("write");
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("rename a temporary file to");
    temporary_.clear();  // it has its name now and must not be removed
    sync_folder_of(target_);
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) fail("close");
}

void AtomicFile::fail(const std::string& action) const {
  throw FileError(text("cannot ", action, " '", path_, "': ", std::generic_category().message(errno)));
}

}  // namespace geodome
