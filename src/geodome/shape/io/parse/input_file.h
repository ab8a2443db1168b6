#pragma once
/// A whole file in memory, unpacked if it is gzipped: what every reader works on.

#include <cstddef>
#include <string>
#include <string_view>

namespace geodome::internal {

struct InputFile {
  std::string path;       ///< as the caller gave it, for messages
  std::string extension;  ///< lower case, without the dot and without a final "gz"; may be empty
  std::string content;    ///< all bytes, after unpacking
};

/// The extension of a path as InputFile keeps it: "obj" for "a/B.OBJ.gz".
std::string file_extension(std::string_view path);

/// Reads the file and unpacks it if it begins as gzip does, whatever its name. Throws FileError if it cannot
/// be read, if the packed data are broken or end early, or if they unpack to more than 64 MiB and more than
/// 200 times their size (text shapes reach 20; only a file made to exhaust memory is beyond that). Cost: time
/// and memory in proportion to the unpacked size.
InputFile load_file(const std::string& path);

/// The same for bytes already in memory; `path` is used for messages and for the extension.
InputFile load_bytes(std::string bytes, const std::string& path);

}  // namespace geodome::internal
