#pragma once
/// Reads a shape from a file: the format is recognised by content first and by extension second, and any of
/// them may be gzipped. No size in a header is believed before it is checked against the file's length, so a
/// broken file costs memory in proportion to the file.

#include <string>
#include <string_view>

#include "geodome/shape/shape.h"

namespace geodome {

struct ReadOptions {
  /// Reads the file in this format, whatever it looks like: a name from `formats()` or an extension, in any
  /// case, such as "xyz", "edge list" or "csv". Empty: by content, then by extension.
  std::string format;
};

/// The shape as the file says it. Throws FileError naming the file, the place (line or byte) and the cause,
/// and InputError for a format that does not exist.
///
/// Most formats say what they are. Text that is only numbers is told apart by its extension: .xyz .xyzn .pts
/// is a point cloud; .edges .el .cedge .graph is an edge list; .csv .tsv is samples. With .txt, or another
/// extension or none, the first rows decide: commas mean samples; 2 columns, 3 that begin with two integers
/// or 4 that begin with three mean edges; 3 other columns or 6 mean points.
Shape read_shape(const std::string& path, const ReadOptions& options = {});

}  // namespace geodome
