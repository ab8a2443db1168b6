#include "geodome/landmark/block_log.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "geodome/base/checksum.h"
#include "geodome/base/error.h"
#include "geodome/base/platform.h"

namespace geodome::internal {
namespace {

struct BlockHeader {
  std::uint64_t length = 0;
  std::uint32_t checksum = 0;  ///< of the bytes, begun with the block's number
  std::uint32_t number = 0;
};

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

std::uint32_t checksum_of(std::uint32_t number, std::span<const std::byte> bytes) {
  return crc32c(bytes, number);
}

/// With this every log begins.
constexpr std::string_view magic = "geodome progress ";

/// The key stands in it whole: logs of different computations cannot be taken for each other.
std::string header_of(std::string_view key) {
  return text(magic, "1\n", key.size(), "\n", key, "\n");
}

/// Whether a regular file begins as a log does. One that ends within the magic was cut off when it was begun.
bool begins_as_log(int descriptor) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return false;
  char begin[magic.size()];
  const ssize_t got = ::pread(descriptor, begin, sizeof begin, 0);
  return got >= 0 && magic.starts_with(std::string_view(begin, static_cast<std::size_t>(got)));
}

}  // namespace

BlockLog::BlockLog(const std::string& path, std::string_view key) : path_(path) {
  descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) fail("open");
  if (!begins_as_log(descriptor_)) {
    ::close(descriptor_);
    throw FileError(text("'", path,
                         "' exists and does not contain the progress of a computation; it is "
                         "not overwritten: move it, or save the progress under another name"));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw InputError(
        text("'", path, "' is in use by another run that writes the same file: wait for it or stop it"));
  }
  try {
    find_blocks(header_of(key));
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

BlockLog::~BlockLog() {
  ::close(descriptor_);
}

void BlockLog::find_blocks(std::string_view header) {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0) fail("examine");
  const auto size = static_cast<std::uint64_t>(status.st_size);
  std::string found(std::min<std::uint64_t>(size, header.size()), '\0');
  read(0, std::as_writable_bytes(std::span(found)));
  if (found != header) {
    if (::ftruncate(descriptor_, 0) != 0) fail("empty");
    end_ = 0;
    write(bytes_of(header));
    return;
  }
  end_ = header.size();
  BlockHeader block;
  while (end_ + sizeof block <= size) {
    read(end_, std::as_writable_bytes(std::span(&block, 1)));
    if (block.number != begins_.size() || block.length > size - end_ - sizeof block) break;
    begins_.push_back(end_);
    end_ += sizeof block + block.length;
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail("shorten");
}

bool BlockLog::recall(std::size_t number, std::span<std::byte> bytes) {
  if (number >= count()) return false;
  BlockHeader block;
  read(begins_[number], std::as_writable_bytes(std::span(&block, 1)));
  if (block.length == bytes.size()) {
    read(begins_[number] + sizeof block, bytes);
    if (checksum_of(block.number, bytes) == block.checksum) return true;
  }
  end_ = begins_[number];
  begins_.resize(number);
  if (::ftruncate(descriptor_, static_cast<off_t>(end_)) != 0) fail("shorten");
  return false;
}

void BlockLog::keep(std::span<const std::byte> bytes) {
  const auto number = static_cast<std::uint32_t>(count());
  const BlockHeader block{bytes.size(), checksum_of(number, bytes), number};
  const std::uint64_t begin = end_;
  write(std::as_bytes(std::span(&block, 1)));
  write(bytes);
  if (sync_contents(descriptor_) != 0) fail("sync");
  begins_.push_back(begin);
}

void BlockLog::read(std::uint64_t begin, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t got = ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(begin));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("read");
    if (got == 0)
      throw FileError(text("'", path_, "' ends at byte ", begin, ": it was changed by another program"));
    begin += static_cast<std::uint64_t>(got);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

void BlockLog::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(end_));
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) fail("write");
    end_ += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

void BlockLog::fail(const char* action) const {
  throw FileError(text("cannot ", action, " '", path_,
                       "', the file with the progress of this run: ", std::strerror(errno)));
}

bool is_block_log(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool found = begins_as_log(descriptor);
  ::close(descriptor);
  return found;
}

void remove_block_log(const std::string& path) {
  if (is_block_log(path)) ::unlink(path.c_str());
}

}  // namespace geodome::internal
