#pragma once
/// A short fingerprint of a shape, by which a file knows the shape it was made from.

#include <string>
#include <vector>

#include "geodome/shape/shape.h"

namespace geodome::internal {

/// Vertices, faces (or edges), and a checksum of each of coordinates and connectivity, such as
/// "7502-15000-89abcdef-01234567". Two shapes that differ anywhere have different digests but for one chance
/// in 2^32. Cost: one pass.
std::string shape_digest(const Shape& shape);

/// The same of a mask; "none" if it is empty.
std::string mask_digest(const std::vector<char>& keep);

}  // namespace geodome::internal
