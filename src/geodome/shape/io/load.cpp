#include "geodome/shape/io/load.h"

#include <utility>

#include "geodome/base/error.h"

namespace geodome::internal {

CleanShape load_clean_shape(const std::string& path, const ReadOptions& options) {
  Shape shape = read_shape(path, options);
  try {
    return clean_shape(std::move(shape));
  } catch (const InputError& error) {
    throw InputError(text("'", path, "': ", error.what()));
  }
}

}  // namespace geodome::internal
