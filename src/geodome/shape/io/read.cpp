#include "geodome/shape/io/read.h"

#include "geodome/shape/io/formats.h"
#include "geodome/shape/io/parse/input_file.h"

namespace geodome {

using namespace internal;

Shape read_shape(const std::string& path, const ReadOptions& options) {
  const InputFile file = load_file(path);
  const Format& format = options.format.empty() ? find_format(file) : format_by_name(options.format);
  return format.read(file);
}

}  // namespace geodome
