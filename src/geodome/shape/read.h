#pragma once
/// Reads a shape from a file: the format is recognised by content first and by extension second, and any of
/// them may be gzipped. No size in a header is believed before it is checked against the file's length, so a
/// broken file costs memory in proportion to the file.

#include <string>
#include <string_view>

#include "geodome/shape/shape.h"

namespace geodome {

/// The shape as the file says it. Throws FileError naming the file, the place (line or byte) and the cause.
Shape read_shape(const std::string& path);

}  // namespace geodome
