#pragma once
/// The `.geodome` file a command works on.

#include <optional>
#include <string>

#include "distance_output.h"
#include "geodome/matrix/matrix_file.h"
#include "geodome/matrix/near_field.h"

namespace geodome::cli {

struct MatrixInput {
  MatrixFile file;
  std::optional<Shape> shape;
  Numbering numbering;
};

/// Throws FileError, with a hint where the file is a shape.
MatrixInput open_matrix(const std::string& path);

/// How the file's distances are queried. Chords bound them only where the shape is in the file and the
/// distances were measured on it.
NearField make_near_field(const MatrixInput& input, bool raw);

/// Throws InputError, naming both digests, unless the file was made from this shape.
void require_same_shape(const MatrixFile& file, const Shape& shape, const std::string& shape_path);

}  // namespace geodome::cli
