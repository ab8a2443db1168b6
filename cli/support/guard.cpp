#include "support/guard.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "geodome/base/error.h"
#include "support/sheet.h"

namespace geodome::cli {

using namespace internal;

namespace {

/// Bytes free where the file will be; all there can be where that is not known.
std::int64_t room_for(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::path folder = fs::absolute(path, error).parent_path();
  while (folder != folder.root_path() && !fs::exists(folder, error)) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return error ? most : static_cast<std::int64_t>(std::min<std::uintmax_t>(space.available, most));
}

}  // namespace

void require_consent(const std::string& what, std::int64_t bytes, bool yes, const std::string& path) {
  const std::string needed = text(what, " requires ", grouped(bytes), " bytes (", byte_count(bytes), ")");
  if (bytes > unasked_bytes && !yes) throw InputError(needed + ": pass --yes to write it");
  const std::int64_t room = room_for(path);
  if (bytes > room)
    throw FileError(text(needed, ", but only ", byte_count(room), " are free on the disk of '", path, "'"));
}

}  // namespace geodome::cli
