#pragma once
/// How much memory the process has needed at most, and how much there is.

#include <cstdint>

namespace geodome::internal {

/// Resident bytes at their highest since the last reset, or since the start where they cannot be reset; 0
/// where the system does not tell.
std::int64_t peak_memory();

/// Starts counting anew from what is in use now, where the system can (Linux).
void reset_peak_memory();

/// Bytes of memory of this machine, whoever uses them; 0 where the system does not tell.
std::int64_t machine_memory();

}  // namespace geodome::internal
