#include "geodome/base/scratch_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"

namespace geodome::internal {

ScratchFile::ScratchFile(const std::string& path, std::uint64_t bytes, const Team* team)
    : team_(team), size_(static_cast<std::size_t>(bytes)) {
  try {
    if (is_first_rank()) create(path);
    if (team_ != nullptr) {
      name_ = broadcast(*team_, name_, 0);
      shared_ = team_->open_shared(name_);
      if (descriptor_ < 0) open();
      static_cast<void>(team_->gather({}));  // until all have opened it
    }
    if (team_ == nullptr || team_->on_one_machine()) named_.reset();
  } catch (...) {
    if (descriptor_ >= 0) ::close(descriptor_);
    throw;
  }
}

ScratchFile::~ScratchFile() {
  if (data_ != nullptr) ::munmap(data_, size_);
  ::close(descriptor_);
}

void ScratchFile::create(const std::string& path) {
  named_.emplace(path);
  name_ = named_->temporary();
  if (name_.empty())
    throw FileError(text("cannot keep distances beside '", path, "': it is no regular file"));
  open();
  if (reserve_space(descriptor_, static_cast<std::int64_t>(size_)) != 0)
    throw WriteError(text("cannot reserve ", size_, " bytes for distances beside '", path,
                          "': ", std::generic_category().message(errno)));
}

void ScratchFile::open() {
  descriptor_ = ::open(name_.c_str(), (is_first_rank() ? O_RDWR : O_RDONLY) | O_CLOEXEC);
  if (descriptor_ < 0) fail("open");
}

void ScratchFile::map(bool writable) {
  void* memory =
      ::mmap(nullptr, size_, writable ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, descriptor_, 0);
  if (memory == MAP_FAILED) fail("map");
  data_ = static_cast<std::byte*>(memory);
}

void ScratchFile::fail(const char* action) const {
  throw FileError(
      text("cannot ", action, " the scratch file '", name_, "': ", std::generic_category().message(errno)));
}

std::span<std::byte> ScratchFile::whole() {
  if (data_ == nullptr) map(true);
  return {data_, size_};
}

void ScratchFile::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  shared_->write_at(offset, bytes);
}

std::span<const std::byte> ScratchFile::finish() {
  if (team_ != nullptr) {
    if (data_ != nullptr && ::msync(data_, size_, MS_SYNC) != 0)
      throw WriteError(text("cannot write '", name_, "': ", std::generic_category().message(errno)));
    shared_->finish();
    shared_.reset();
    static_cast<void>(team_->gather({}));  // until all have written
    if (!team_->on_one_machine() && data_ == nullptr) {
      // Network file systems promise what others wrote only to those who open the file afterwards.
      ::close(descriptor_);
      open();
    }
  }
  if (data_ == nullptr) map(false);
  return {data_, size_};
}

}  // namespace geodome::internal
