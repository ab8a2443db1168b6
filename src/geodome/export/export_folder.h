#pragma once
/// The folder of an export that writes several files.

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::internal {

/// Makes the folder if it is missing; the paths of these files in it. Throws FileError.
inline std::vector<std::string> files_in_folder(const std::string& folder,
                                                const std::vector<std::string>& names) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!std::filesystem::is_directory(folder))
    throw FileError(text("cannot create the folder '", folder,
                         "': ", error ? error.message() : std::string("a file of this name exists")));
  std::vector<std::string> paths;
  for (const std::string& name : names) paths.push_back((std::filesystem::path(folder) / name).string());
  return paths;
}

}  // namespace geodome::internal
