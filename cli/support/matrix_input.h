#pragma once
/// The `.geodome` file a command works on.

#include <optional>
#include <string>

#include "geodome/geodome.h"
#include "support/distance_output.h"

namespace geodome::cli {

struct MatrixInput {
  std::string path;
  Distances distances;
  Numbering numbering;  ///< refers to `distances`
};

/// Throws FileError, with a hint where the file is a shape.
MatrixInput open_matrix(const std::string& path);
/// Nothing where the file is of another format.
std::optional<MatrixInput> open_if_matrix(const std::string& path);

/// The distances as queries answer them, or with `raw` the product P W Pᵀ itself.
Distances in_mode(const MatrixInput& input, bool raw);

/// The name of that in JSON.
std::string mode_name(const MatrixInput& input, bool raw);

/// The factors. Throws InputError, naming the option that `requires` them, where the method has none.
const internal::LandmarkMatrix& require_factors(const MatrixInput& input, const std::string& option);

/// Throws InputError, naming both files, unless the matrix was built from this shape.
void require_same_shape(const MatrixInput& input, const Shape& shape, const std::string& shape_path);

}  // namespace geodome::cli
