#include "geodome/base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>

#include "geodome/base/error.h"

namespace geodome::internal {
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

/// Names of the temporary files of this process that exist. The mutex is held while one is created, renamed
/// or removed, so that whoever holds it knows all of them.
struct TemporaryFiles {
  std::mutex mutex;
  std::set<std::string> names;
};

/// Never destroyed: threads may outlive static objects.
TemporaryFiles& temporary_files() {
  static auto* instance = new TemporaryFiles;
  return *instance;
}

/// Whether the path is the name of an open file, such as /dev/stdout. Where that leads to a regular file, the
/// open file is meant and not its name.
bool names_descriptor(const std::string& path) {
  return path.starts_with("/dev/std") || path.starts_with("/dev/fd/") || path.starts_with("/proc/");
}

std::string failure(const std::string& action, const std::string& path) {
  return text("cannot ", action, " '", path, "': ", std::generic_category().message(errno));
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

std::string follow_links(const std::string& path) {
  constexpr int most_links = 40;  // as many as the system follows
  fs::path followed = path;
  std::error_code error;
  for (int links = 0; fs::is_symlink(fs::symlink_status(followed, error)); ++links) {
    if (links == most_links)
      throw FileError(text("cannot follow the link '", path, "': it is circular or leads through more than ",
                           most_links, " links; remove it or choose another name"));
    const fs::path next = fs::read_symlink(followed, error);
    if (error) break;
    followed = next.is_absolute() ? next : followed.parent_path() / next;
  }
  return followed.string();
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(path) {
  const bool is_descriptor = names_descriptor(path);
  if (!is_descriptor) target_ = follow_links(path);

  struct stat status {};
  const bool exists = ::stat(target_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) throw FileError(text("cannot write '", path_, "': it is a folder"));
  if (exists && S_ISBLK(status.st_mode))
    throw FileError(text("cannot write '", path_, "': it is a block device"));
  if (exists && (is_descriptor || !S_ISREG(status.st_mode))) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) throw FileError(failure("open", path_));
    return;
  }
  // Renaming needs leave to write to the folder only; a file that is protected stays so.
  if (exists && ::access(target_.c_str(), W_OK) != 0) throw FileError(failure("write", path_));
  create_temporary();
  if (exists) static_cast<void>(::fchmod(descriptor_, status.st_mode & 07777));
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  if (temporary_.empty()) return;
  const std::lock_guard lock(temporary_files().mutex);
  ::unlink(temporary_.c_str());
  temporary_files().names.erase(temporary_);
}

void AtomicFile::create_temporary() {
  temporary_ = temporary_name(target_);
  const std::lock_guard lock(temporary_files().mutex);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) throw FileError(failure("create", path_));
  temporary_files().names.insert(temporary_);
}

void AtomicFile::rename_temporary() {
  const std::lock_guard lock(temporary_files().mutex);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0)
    throw WriteError(failure("rename a temporary file to", path_));
  temporary_files().names.erase(temporary_);
  temporary_.clear();  // it has its name now and must not be removed
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
    if (written < 0) throw WriteError(failure("write", path_));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void AtomicFile::commit() {
  flush(buffer_);
  buffer_.clear();
  if (!temporary_.empty()) {
    if (::fsync(descriptor_) != 0) throw WriteError(failure("write", path_));
    rename_temporary();
    sync_folder_of(target_);
  }
  const int closed = ::close(descriptor_);
  descriptor_ = -1;
  if (closed != 0) throw WriteError(failure("close", path_));
}

std::unique_lock<std::mutex> remove_temporary_files() {
  std::unique_lock lock(temporary_files().mutex);
  for (const std::string& name : temporary_files().names) ::unlink(name.c_str());
  return lock;
}

}  // namespace geodome::internal
