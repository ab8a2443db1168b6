#pragma once
/// Writes shapes and arrays. The file appears under its name complete or not at all.

#include <string>

#include "geodome/shape/shape.h"

namespace geodome {

/// #V by 3, red green blue in [0, 255]; empty for none.
using Colours = Eigen::Matrix<std::uint8_t, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// Format by extension: .obj, .off and .ply (binary) for meshes and point clouds, with colours; .edges (a
/// list) and .mtx (Matrix Market) for graphs; .npy and .csv for samples. Reading the file back gives the same
/// numbers, bit by bit. Throws FileError, or InputError where the format cannot hold this shape.
void write_shape(const Shape& shape, const std::string& path, const Colours& colours = {});

/// Throws what `write_shape` throws where the extension of `path` is unknown or none for this kind of shape.
void require_shape_extension(const Shape& shape, const std::string& path);

}  // namespace geodome
