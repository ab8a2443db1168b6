#pragma once
/// Asks before anything very large is written.

#include <cstdint>
#include <string>

namespace geodome::cli {

/// Bytes that may be written without confirmation.
inline constexpr std::int64_t unasked_bytes = std::int64_t{1} << 30;

/// Throws InputError naming the bytes if `what` takes more than `unasked_bytes` and `yes` was not said, and
/// FileError if the disk of `path` has no room for it.
void require_consent(const std::string& what, std::int64_t bytes, bool yes, const std::string& path);

}  // namespace geodome::cli
