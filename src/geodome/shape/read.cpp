#include "geodome/shape/read.h"

#include "geodome/shape/formats.h"
#include "geodome/shape/input_file.h"

namespace geodome {

Shape read_shape(const std::string& path) {
  const InputFile file = load_file(path);
  return find_format(file).read(file);
}

}  // namespace geodome
