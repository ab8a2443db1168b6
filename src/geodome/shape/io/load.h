#pragma once
/// Reads a shape and cleans it.

#include <string>

#include "geodome/shape/clean.h"
#include "geodome/shape/io/read.h"

namespace geodome::internal {

/// read_shape and clean_shape. Throws FileError, or InputError naming the file and the defect of the shape.
CleanShape load_clean_shape(const std::string& path, const ReadOptions& options = {});

}  // namespace geodome::internal
