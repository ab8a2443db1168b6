#pragma once
/// The shape a command works on, as the command line names it.

#include <CLI/CLI.hpp>
#include <string>

#include "geodome/shape/clean.h"
#include "geodome/shape/io/formats.h"

namespace geodome::cli {

struct InputOptions {
  std::string path;
  std::string format;  ///< empty: by content, then by extension
};

/// Adds the positional argument `name` and --format.
void add_input_options(CLI::App& command, const std::string& name, InputOptions& options);

/// The shape as the file says it. Throws FileError or InputError.
internal::FormattedShape load_shape(const InputOptions& options);

/// The shape made fit to work on. Throws FileError, or InputError naming the file and what is wrong with the
/// shape.
CleanShape load_clean_shape(const InputOptions& options);

/// Throws InputError naming the file if the shape this report describes cannot be worked on.
void require_workable(const InputOptions& options, const ShapeReport& report);

}  // namespace geodome::cli
