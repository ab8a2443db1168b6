#pragma once
/// Memory that BLAS takes for itself, made sure of before it is called.
///
/// OpenBLAS maps one buffer for every thread that calls it at the same time, and keeps it. Where the system
/// refuses that (a limit on address space), it tries again for ever. So the buffers are mapped here first,
/// where a failure can be reported.

#include <cstdint>

namespace geodome::internal {

/// Bytes of one buffer of OpenBLAS on 64-bit machines.
inline constexpr std::int64_t blas_buffer_bytes = std::int64_t{1} << 27;

/// While one lives, its thread may call BLAS. Under a limit on address space or data, the constructor waits
/// for another one to go where there is no memory for one buffer more, or where there are 16; it throws
/// NumericalError naming the bytes where there is none for the first. Without a limit, or with a BLAS other
/// than OpenBLAS, it does nothing. Not to be nested in one thread.
class BlasMemory {
 public:
  BlasMemory();
  ~BlasMemory();
  BlasMemory(const BlasMemory&) = delete;
  BlasMemory& operator=(const BlasMemory&) = delete;
};

/// Makes sure of the first buffer, which is kept: for a program that wants to know at once. Throws as
/// BlasMemory.
inline void require_blas_memory() {
  const BlasMemory memory;
}

}  // namespace geodome::internal
