#pragma once
/// What operating systems do differently. Linux has calls of its own; elsewhere, and everywhere with
/// GEODOME_POSIX_ONLY, POSIX is all that is used. Nothing outside of platform.cpp depends on the system.

#include <cstddef>
#include <cstdint>

namespace geodome::internal {

/// Resident bytes at their highest since the last reset, or since the start where they cannot be reset; 0
/// where the system does not tell.
std::int64_t peak_memory();

/// Starts counting anew from what is in use now, where the system can (Linux).
void reset_peak_memory();

/// Bytes of memory of this machine, whoever uses them; 0 where the system does not tell.
std::int64_t machine_memory();

/// Bytes of memory that can be had without swapping; 0 where the system does not tell (all but Linux).
std::int64_t available_memory();

/// Asks for large pages for this block, where the system takes such advice (Linux).
void prefer_large_pages(void* memory, std::size_t bytes);

/// Gives memory that has been freed back to the system, where the allocator keeps it and can be told (glibc).
void release_freed_memory();

/// Reads these bytes of a mapped file at once, where the system takes such advice (Linux): one by one, its
/// pages take longer than a checksum of them.
void fetch_pages(const void* begin, std::size_t bytes);

/// The whole pages among these bytes need not stay resident (Linux). Those of a mapped file are mapped again
/// when they are read; what other memory contained is lost, and it can be written again.
void release_pages(const void* begin, std::size_t bytes);

/// Writes what an open file contains to its device; its times may follow later. 0, or -1 with errno.
int sync_contents(int descriptor);

/// Gives an open file this length, of zeros, and takes the room for it on its device, so that writing to it
/// cannot fail for want of room where the file system can promise that. 0, or -1 with errno.
int reserve_space(int descriptor, std::int64_t bytes);

/// Replaces this process by the program that it runs, with these arguments, ended by null; returns only where
/// that fails. Without Linux the program is looked up by its first argument.
void restart_program(char** arguments);

/// Functions of OpenBLAS; null where it is not the BLAS that was linked.
struct OpenBlas {
  void (*set_num_threads)(int);
  int (*get_num_threads)();
  void* (*memory_alloc)(int);
  void (*memory_free)(void*);
};
const OpenBlas& openblas();

/// Functions of OpenMP; null where nothing that was linked uses it.
struct OpenMp {
  void (*set_max_active_levels)(int);
  int (*get_max_active_levels)();
};
const OpenMp& openmp();

}  // namespace geodome::internal
