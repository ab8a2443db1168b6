#include "geodome/base/blas_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <condition_variable>
#include <mutex>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"

namespace geodome::internal {
namespace {

struct State {
  std::mutex mutex;
  std::condition_variable less_active;
  int active = 0;   ///< threads that may call BLAS
  int buffers = 0;  ///< buffers known to be mapped
};

State& state() {
  static auto* instance = new State;  // never destroyed: threads may outlive static objects
  return *instance;
}

/// OpenBLAS ends the process where it has too many: 50 at least. While more are mapped, as many may be in
/// use.
constexpr int most_buffers = 16;

/// Whether BLAS could ask for memory that it does not get.
bool is_limited() {
  static const bool limited = [] {
    if (!openblas().memory_alloc || !openblas().memory_free) return false;
    for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
      rlimit limit{};
      if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
    }
    return false;
  }();
  return limited;
}

/// Whether this many bytes of memory can be mapped now.
bool can_map(std::int64_t bytes) {
  const auto size = static_cast<std::size_t>(bytes);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return false;
  ::munmap(memory, size);
  return true;
}

/// Lets OpenBLAS map this many buffers, which it keeps when they are given back. False where the memory is
/// not there. Some room is left, since other threads may allocate memory meanwhile.
bool map_buffers(int count) {
  constexpr std::int64_t room = std::int64_t{1} << 25;
  if (!can_map(count * blas_buffer_bytes + room)) return false;
  std::vector<void*> held;
  for (int k = 0; k < count; ++k) held.push_back(openblas().memory_alloc(1));
  for (void* buffer : held) openblas().memory_free(buffer);
  return true;
}

}  // namespace

BlasMemory::BlasMemory() {
  if (!is_limited()) return;
  State& blas = state();
  std::unique_lock lock(blas.mutex);
  while (blas.active >= blas.buffers) {
    // All at once: those that are mapped may be in use now and free a moment later.
    if (blas.active < most_buffers && map_buffers(blas.active + 1)) {
      blas.buffers = blas.active + 1;
    } else if (blas.buffers > 0) {
      blas.less_active.wait(lock);
    } else {
      throw NumericalError(text("not enough memory for the factorisation of a matrix: OpenBLAS needs ",
                                blas_buffer_bytes,
                                " bytes of address space per thread before it begins; raise the limit on "
                                "memory, or use fewer threads"));
    }
  }
  ++blas.active;
}

BlasMemory::~BlasMemory() {
  if (!is_limited()) return;
  State& blas = state();
  const std::lock_guard lock(blas.mutex);
  --blas.active;
  blas.less_active.notify_one();
}

}  // namespace geodome::internal
