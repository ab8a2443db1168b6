#include "geodome/base/platform.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

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

/// First and last address of the pages that these bytes lie in.
std::pair<char*, char*> pages_of(const void* begin, std::size_t bytes) {
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  const auto first = reinterpret_cast<std::uintptr_t>(begin), last = first + bytes;
  return {reinterpret_cast<char*>(first / page * page),
          reinterpret_cast<char*>((last + page - 1) / page * page)};
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

void fetch_pages(const void* begin, std::size_t bytes) {
  const auto [first, last] = pages_of(begin, bytes);
#ifdef MADV_POPULATE_READ
  if (::madvise(first, static_cast<std::size_t>(last - first), MADV_POPULATE_READ) == 0) return;
#endif
  ::madvise(first, static_cast<std::size_t>(last - first), MADV_WILLNEED);  // before Linux 5.14
}

void release_pages(const void* begin, std::size_t bytes) {
  auto [first, last] = pages_of(begin, bytes);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (first < begin) first += page;
  if (last > static_cast<const char*>(begin) + bytes) last -= page;
  if (first < last) ::madvise(first, static_cast<std::size_t>(last - first), MADV_DONTNEED);
}

int sync_contents(int descriptor) {
  return ::fdatasync(descriptor);
}

int reserve_space(int descriptor, std::int64_t bytes) {
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(descriptor, 0, static_cast<off_t>(bytes));
  errno = error;
  return error == 0 ? 0 : -1;
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

void fetch_pages(const void*, std::size_t) {}

void release_pages(const void*, std::size_t) {}

int sync_contents(int descriptor) {
  return ::fsync(descriptor);
}

int reserve_space(int descriptor, std::int64_t bytes) {
  const std::vector<char> zeros(std::size_t{1} << 20);
  for (std::int64_t at = 0; at < bytes;) {
    const auto some = std::min(static_cast<std::size_t>(bytes - at), zeros.size());
    const ssize_t written = ::pwrite(descriptor, zeros.data(), some, static_cast<off_t>(at));
    if (written < 0 && errno != EINTR) return -1;
    if (written > 0) at += written;
  }
  return 0;
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
