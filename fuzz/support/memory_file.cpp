#include "support/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include "support/expect.h"

namespace geodome::fuzz {

using namespace internal;

MemoryFile::MemoryFile()
    : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)), path_(text("/proc/self/fd/", descriptor_)) {
  expect(descriptor_ >= 0, "memfd_create failed");
}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

void MemoryFile::store(std::string_view bytes) {
  expect(::ftruncate(descriptor_, 0) == 0, "ftruncate failed");
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    expect(wrote > 0, "pwrite failed");
    done += static_cast<std::size_t>(wrote);
  }
}

}  // namespace geodome::fuzz
