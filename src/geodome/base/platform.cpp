#include "geodome/base/platform.h"

#include <dlfcn.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#if defined(__linux__) && !defined(GEODOME_POSIX_ONLY)
#define GEODOME_LINUX
#include <malloc.h>
#include <sys/mman.h>
#endif

#ifdef GEODOME_LINUX
// Null unless the BLAS that was linked is OpenBLAS, and CHOLMOD was built with OpenMP.
extern "C" {
__attribute__((weak)) void openblas_set_num_threads(int threads);
__attribute__((weak)) int openblas_get_num_threads();
__attribute__((weak)) void* blas_memory_alloc(int position);
__attribute__((weak)) void blas_memory_free(void* buffer);
__attribute__((weak)) void omp_set_max_active_levels(int levels);
__attribute__((weak)) int omp_get_max_active_levels();
}
#endif

namespace geodome::internal {
namespace {

[[maybe_unused]] constexpr std::int64_t kibibyte = 1024;

#ifdef GEODOME_LINUX

/// The number behind `name` in a file of lines such as "VmHWM:  1234 kB", in bytes; 0 where there is none.
std::int64_t reported_bytes(const char* path, const char* name) {
  std::ifstream report(path);
  for (std::string word; report >> word;) {
    std::int64_t kibibytes = 0;
    if (word == name && report >> kibibytes) return kibibytes * kibibyte;
  }
  return 0;
}

#else

template <typename Function>
void find(const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(::dlsym(RTLD_DEFAULT, name));
}

#endif

/// Since the start of the process.
std::int64_t highest_memory() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return static_cast<std::int64_t>(usage.ru_maxrss) * kibibyte;
#endif
}

}  // namespace

std::int64_t machine_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), bytes = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && bytes > 0 ? static_cast<std::int64_t>(pages) * bytes : 0;
}

#ifdef GEODOME_LINUX

std::int64_t peak_memory() {
  const std::int64_t since_reset = reported_bytes("/proc/self/status", "VmHWM:");
  return since_reset > 0 ? since_reset : highest_memory();
}

void reset_peak_memory() {
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::int64_t available_memory() {
  return reported_bytes("/proc/meminfo", "MemAvailable:");
}

void prefer_large_pages(void* memory, std::size_t bytes) {
  ::madvise(memory, bytes, MADV_HUGEPAGE);  // only advice: where it is refused, all works as before
}

void release_freed_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

void release_contents(void* memory, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin < end) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED);
}

int sync_contents(int descriptor) {
  return ::fdatasync(descriptor);
}

void restart_program(char** arguments) {
  ::execv("/proc/self/exe", arguments);
}

const OpenBlas& openblas() {
  static const OpenBlas functions{openblas_set_num_threads, openblas_get_num_threads, blas_memory_alloc,
                                  blas_memory_free};
  return functions;
}

const OpenMp& openmp() {
  static const OpenMp functions{omp_set_max_active_levels, omp_get_max_active_levels};
  return functions;
}

#else

std::int64_t peak_memory() {
  return highest_memory();
}

void reset_peak_memory() {}

std::int64_t available_memory() {
  return 0;
}

void prefer_large_pages(void*, std::size_t) {}

void release_freed_memory() {}

void release_contents(void*, std::size_t) {}

int sync_contents(int descriptor) {
  return ::fsync(descriptor);
}

void restart_program(char** arguments) {
  ::execvp(arguments[0], arguments);
}

const OpenBlas& openblas() {
  static const OpenBlas functions = [] {
    OpenBlas found{};
    find("openblas_set_num_threads", found.set_num_threads);
    find("openblas_get_num_threads", found.get_num_threads);
    find("blas_memory_alloc", found.memory_alloc);
    find("blas_memory_free", found.memory_free);
    return found;
  }();
  return functions;
}

const OpenMp& openmp() {
  static const OpenMp functions = [] {
    OpenMp found{};
    find("omp_set_max_active_levels", found.set_max_active_levels);
    find("omp_get_max_active_levels", found.get_max_active_levels);
    return found;
  }();
  return functions;
}

#endif

}  // namespace geodome::internal
