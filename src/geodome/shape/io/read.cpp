#include "geodome/shape/io/read.h"

#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"

namespace geodome {

using namespace internal;

Shape read_shape(const std::string& path, const ReadOptions& options) {
  return read_formatted(load_file(path), options.format).shape;
}

}  // namespace geodome
