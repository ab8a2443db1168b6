#include "geodome/shape/io/load.h"

#include <utility>

#include "geodome/base/error.h"
#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"

namespace geodome::internal {

CleanShape load_clean_shape(const std::string& path, const ReadOptions& options) {
  FormattedShape read = read_formatted(load_file(path), options.format);
  try {
    CleanShape clean = clean_shape(std::move(read.shape));
    if (!read.note.empty()) clean.notes.insert(clean.notes.begin(), read.note);
    return clean;
  } catch (const InputError& error) {
    throw InputError(text("'", path, "': ", error.what()));
  }
}

}  // namespace geodome::internal
