#pragma once
/// The `.geodome` file a command works on.

#include <CLI/CLI.hpp>
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

/// How a matrix P W Pᵀ answers.
struct ModeOptions {
  std::string near = "exact";  ///< near distances: "exact" or "blend"
  bool raw = false;
};

/// Adds --near and --raw; `raw_text` is the help of the latter.
void add_mode_options(CLI::App& command, ModeOptions& options,
                      const std::string& raw_text = "Use the product P W Pᵀ without near-field correction");

/// The distances in this mode. A line on standard error, unless `quiet`, where near distances are estimated
/// because the file does not contain the shape.
Distances in_mode(const MatrixInput& input, const ModeOptions& options, bool quiet);

/// The name of the mode in JSON.
std::string mode_name(const Distances& distances);

/// The factors. Throws InputError, naming the option that `requires` them, where the method has none.
const internal::LandmarkMatrix& require_factors(const MatrixInput& input, const std::string& option);

/// Throws InputError, naming both files, unless the matrix was built from this shape.
void require_same_shape(const MatrixInput& input, const Shape& shape, const std::string& shape_path);

}  // namespace geodome::cli
