#include "support/input.h"

#include "geodome/base/error.h"
#include "geodome/shape/io/load.h"
#include "geodome/shape/io/parse/input_file.h"
#include "support/interrupt.h"

namespace geodome::cli {

using namespace internal;

void add_input_options(CLI::App& command, const std::string& name, InputOptions& options) {
  command.add_option(name, options.path, "The shape; see --format for the supported formats; can be gzipped")
      ->required();
  std::string names;
  for (const Format& format : formats()) names += text(names.empty() ? "" : ", ", format.name);
  command.add_option("--format", options.format,
                     "Format of the file; default: detected from its content and name. One of " + names);
}

FormattedShape load_shape(const InputOptions& options) {
  FormattedShape read = read_formatted(load_file(options.path), options.format);
  if (interrupted()) throw Cancelled();
  return read;
}

CleanShape load_clean_shape(const InputOptions& options) {
  CleanShape clean = geodome::internal::load_clean_shape(options.path, {options.format});
  if (interrupted()) throw Cancelled();
  return clean;
}

void require_workable(const InputOptions& options, const ShapeReport& report) {
  try {
    geodome::require_workable(report);
  } catch (const InputError& error) {
    throw InputError(text("'", options.path, "': ", error.what()));
  }
}

}  // namespace geodome::cli
